/** Asks before a page with something unsent is left; the draft stays either way. */
import { useBlocker } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { lazy, Suspense, useRef } from 'react';

const LeaveDialog = lazy(() => import('./LeaveDialog'));

/** `allow` lets the next step pass: what was written is saved. */
export function useLeaving(unsent: boolean): { allow: () => void; dialog: ReactNode } {
  const allowed = useRef(false);
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => unsent && !allowed.current && current.pathname !== next.pathname,
    enableBeforeUnload: () => unsent && !allowed.current,
    withResolver: true,
  });
  const dialog = blocker.status === 'blocked' && (
    <Suspense fallback={null}>
      <LeaveDialog onStay={blocker.reset} onLeave={blocker.proceed} />
    </Suspense>
  );
  return { allow: () => void (allowed.current = true), dialog };
}
