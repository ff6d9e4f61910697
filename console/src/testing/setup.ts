/** What every test needs: English words and a clean page. */
import { cleanup, configure } from '@testing-library/react';
import { afterEach, beforeEach, vi } from 'vitest';
import { activateLocale } from '@/app/i18n';
import { clearCorner } from '@/app/news/ToastCorner';

// Pages are loaded lazily, and a busy machine takes its time.
configure({ asyncUtilTimeout: 90_000 });

beforeEach(async () => {
  await activateLocale('en');
});

afterEach(() => {
  cleanup();
  // Files that test functions share one world: a clock that one of them stopped would stand still for the next.
  vi.useRealTimers();
  // Messages outlive the page that showed them.
  clearCorner();
});
