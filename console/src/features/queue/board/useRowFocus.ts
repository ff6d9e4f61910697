/** Where the focus is among the rows: keys step from one to the next, and a row that is moved takes it along. */
import { useLayoutEffect, useRef } from 'react';
import type { RefObject } from 'react';
import type { QueueItem } from '@/api/queue';
import { slotName } from '../lines';

interface Kept {
  row: string;
  control: number;
}

const CONTROLS = 'a, button, input';
const LINK = '[data-row-link]';

interface RowFocus {
  frame: RefObject<HTMLDivElement | null>;
  /** Keeps it on the same control of a row that is about to be moved: the browser drops it when the row is put elsewhere. */
  keep: (item: QueueItem) => void;
  /** To the next or previous job that one may open. */
  step: (by: 1 | -1) => void;
}

export function useRowFocus(): RowFocus {
  const frame = useRef<HTMLDivElement>(null);
  const kept = useRef<Kept | null>(null);
  useLayoutEffect(() => {
    if (!kept.current) return;
    const { row, control } = kept.current;
    const found = frame.current?.querySelector(`[data-slot="${CSS.escape(row)}"]`);
    if (document.activeElement === document.body) found?.querySelectorAll<HTMLElement>(CONTROLS)[control]?.focus();
    kept.current = null;
  });
  return {
    frame,
    keep: (item) => {
      const row = slotName(item);
      const element = frame.current?.querySelector(`[data-slot="${CSS.escape(row)}"]`);
      const control = [...(element?.querySelectorAll(CONTROLS) ?? [])].indexOf(document.activeElement as HTMLElement);
      kept.current = control === -1 ? null : { row, control };
    },
    step: (by) => {
      const links = [...(frame.current?.querySelectorAll<HTMLElement>(LINK) ?? [])];
      const at = links.findIndex((link) => link.closest('tr')?.contains(document.activeElement));
      links[at === -1 ? 0 : Math.min(links.length - 1, Math.max(0, at + by))]?.focus();
    },
  };
}
