/** Which tile the pointer or the focus is on, with a moment's patience so that nothing flickers. */
import type { FocusEvent, KeyboardEvent, PointerEvent, RefObject } from 'react';
import { useEffect, useRef, useState } from 'react';

export interface Pointed {
  name: string;
  /** The GPU under the pointer. */
  gpu: number | null;
  /** Where the tile is on the screen. */
  at: DOMRect;
}

const SHOW_MS = 120;
const HIDE_MS = 180;

export function usePointed(scroller: RefObject<HTMLElement | null>, onFocusTile: (name: string) => void) {
  const [pointed, setPointed] = useState<Pointed | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const soon = (next: Pointed | null, delay: number) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setPointed(next), delay);
  };
  const hide = () => {
    clearTimeout(timer.current);
    setPointed(null);
  };
  useEffect(() => () => clearTimeout(timer.current), []);

  const escape = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !pointed) return;
    event.stopPropagation();
    const within = scroller.current?.contains(document.activeElement);
    hide();
    if (!within) scroller.current?.querySelector<HTMLElement>('[data-node][tabindex="0"]')?.focus();
  };

  return {
    pointed,
    handlers: {
      onPointerOver: (event: PointerEvent) => {
        if (event.pointerType === 'touch') return;
        const found = tileOf(event.target);
        if (found) soon(found, pointed ? 0 : SHOW_MS);
        else soon(null, HIDE_MS);
      },
      onPointerLeave: () => soon(null, HIDE_MS),
      onScroll: () => {
        hide();
        const held = document.activeElement;
        if (held && scroller.current?.contains(held) && held.matches(':focus-visible')) soon(tileOf(held), SHOW_MS);
      },
      onFocus: (event: FocusEvent) => {
        const found = tileOf(event.target);
        if (!found) return;
        onFocusTile(found.name);
        if ((event.target as HTMLElement).matches(':focus-visible')) soon(found, 0);
      },
      onBlur: () => soon(null, HIDE_MS),
      onKeyUp: escape,
    },
    /** For the card, which stays while it is pointed at or holds the focus. */
    card: {
      onPointerEnter: () => clearTimeout(timer.current),
      onPointerLeave: () => soon(null, HIDE_MS),
      onFocus: () => clearTimeout(timer.current),
      onBlur: () => soon(null, HIDE_MS),
      onKeyUp: escape,
    },
  };
}

function tileOf(target: EventTarget): Pointed | null {
  const element = target as HTMLElement;
  const tile = element.closest<HTMLElement>('[data-node]');
  if (!tile?.dataset.node) return null;
  const gpu = element.closest<HTMLElement>('[data-gpu]')?.dataset.gpu;
  return { name: tile.dataset.node, gpu: gpu === undefined ? null : Number(gpu), at: tile.getBoundingClientRect() };
}
