/** How much room the window has: the frame changes its shape with it. */
import { useSyncExternalStore } from 'react';

export type Width = 'phone' | 'tablet' | 'desktop';

const phone = matchMedia('(max-width: 767px)');
const tablet = matchMedia('(max-width: 1099px)');

export function useWidth(): Width {
  return useSyncExternalStore(watch, width);
}

function width(): Width {
  if (phone.matches) return 'phone';
  return tablet.matches ? 'tablet' : 'desktop';
}

function watch(listener: () => void): () => void {
  for (const query of [phone, tablet]) query.addEventListener('change', listener);
  return () => {
    for (const query of [phone, tablet]) query.removeEventListener('change', listener);
  };
}
