/** What the command palette offers beyond pages: actions of the page that is open, added while it is there. */
import { useEffect, useRef } from 'react';
import type { IconName } from '@/ui/icons';

export interface Command {
  id: string;
  label: string;
  icon: IconName;
  run: () => void;
  /** Other words it is found by. */
  words?: string;
  /** The shortcut that does the same, as in `useShortcut`. */
  keys?: string;
}

const offers = new Set<() => readonly Command[]>();

/** Offers commands while the component is on the page; the list may change with every drawing. */
export function useCommands(commands: readonly Command[]): void {
  const latest = useRef(commands);
  useEffect(() => {
    latest.current = commands;
  });
  useEffect(() => {
    const offer = () => latest.current;
    offers.add(offer);
    return () => {
      offers.delete(offer);
    };
  }, []);
}

/** What the open page offers now. */
export function pageCommands(): Command[] {
  return [...offers].flatMap((offer) => offer());
}
