/** Starts the console: language first, then the page. */
import '@/ui/theme/kit.css';
import '@/ui/theme/tokens.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { activateLocale, preferredLocale } from './app/i18n';
import { Root } from '@/app/frame/Root';
import { makeRouter } from './app/router';

const router = makeRouter();

await activateLocale(preferredLocale());

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <Root router={router} />
  </StrictMode>,
);
