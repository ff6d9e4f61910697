/** Keeps the keyboard's place: when what has the focus is taken from the page, what is nearest to it gets it. */
import { useRouter } from '@tanstack/react-router';
import type { RefObject } from 'react';
import { useEffect } from 'react';
import { rememberPlace } from '@/ui/page/focus-place';

export function useKeptFocus(frame: RefObject<HTMLElement | null>): void {
  const router = useRouter();
  useEffect(() => {
    const main = frame.current;
    if (!main) return undefined;
    let kept: { element: Element; path: string; restore: () => void } | null = null;
    const onFocus = ({ target }: FocusEvent) => {
      const element = target as Element;
      // A dialog gives the focus back by itself.
      kept = element.closest('[role="dialog"]') ? null : { element, path: router.latestLocation.pathname, restore: rememberPlace(element) };
    };
    // Who presses somewhere else does not hold on to it.
    const onPress = () => {
      kept = null;
    };
    const watcher = new MutationObserver(() => {
      if (!kept || document.activeElement !== document.body || kept.element.isConnected) return;
      const { path, restore } = kept;
      kept = null;
      // Another page places the focus itself.
      if (path === router.latestLocation.pathname) restore();
    });
    main.addEventListener('focusin', onFocus);
    document.addEventListener('pointerdown', onPress, { capture: true });
    watcher.observe(main, { childList: true, subtree: true });
    return () => {
      main.removeEventListener('focusin', onFocus);
      document.removeEventListener('pointerdown', onPress, { capture: true });
      watcher.disconnect();
    };
  }, [frame, router]);
}
