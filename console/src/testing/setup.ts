/** What every test needs: English words and a clean page. */
import { cleanup, configure } from '@testing-library/react';
import { afterEach, beforeEach } from 'vitest';
import { activateLocale } from '@/app/i18n';
import { clearCorner } from '@/app/ToastCorner';

// Pages are loaded lazily, and a busy machine takes its time.
configure({ asyncUtilTimeout: 10_000 });

beforeEach(async () => {
  await activateLocale('en');
});

afterEach(() => {
  cleanup();
  // Messages outlive the page that showed them.
  clearCorner();
});
