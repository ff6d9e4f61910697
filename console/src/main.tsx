/** Starts the console: language first, then the page. */
import './ui/kit.css';
import './ui/tokens.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { whenSignedOut } from './api/client';
import { activateLocale, preferredLocale } from './app/i18n';
import { ToastCorner } from './app/notify';
import { queryClient } from './app/queries';
import { makeRouter } from './app/router';
import { adoptSession } from './app/session';
import { colorSchemes, cssVariables, theme } from './app/theme';

const router = makeRouter();

whenSignedOut(() => {
  adoptSession(null);
  void router.invalidate();
});

await activateLocale(preferredLocale());

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} colorSchemeManager={colorSchemes} defaultColorScheme="auto">
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
        <ToastCorner />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
