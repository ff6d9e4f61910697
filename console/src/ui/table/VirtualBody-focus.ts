/** Going from row to row of a long table by keyboard, also to rows that are not drawn or not loaded yet. */
import type { Ref } from 'react';
import { useEffect, useImperativeHandle, useLayoutEffect, useMemo } from 'react';
import { focusedRow, HEAD_HEIGHT } from './VirtualBody-scroll';

export interface TableControl {
  /** Goes so many rows on from the one in focus; without one, to the first in view. */
  step(rows: number): void;
  /** Scrolls to the beginning. */
  top(): void;
  /** The key of the row in focus. */
  here(): string | null;
}

export function useRowFocus(scroller: HTMLElement | null, rowHeight: number, count: number, control: Ref<TableControl> | undefined): void {
  const walk = useMemo(() => new RowWalk(scroller, rowHeight), [scroller, rowHeight]);
  useImperativeHandle(control, () => walk, [walk]);
  useLayoutEffect(() => walk.drawn(count));
  useEffect(() => walk.listen(), [walk]);
}

class RowWalk implements TableControl {
  readonly #scroller: HTMLElement | null;
  readonly #rowHeight: number;
  #count = 0;
  /** Where one is going: the row takes the focus once it exists. */
  #wanted: number | null = null;

  constructor(scroller: HTMLElement | null, rowHeight: number) {
    this.#scroller = scroller;
    this.#rowHeight = rowHeight;
  }

  step(rows: number): void {
    const at = this.#wanted ?? focusedRow(this.#scroller)?.dataset.index;
    this.#go(at === undefined ? Math.ceil((this.#scroller?.scrollTop ?? 0) / this.#rowHeight) : Number(at) + rows);
  }

  top(): void {
    this.#scroller?.scrollTo({ top: 0 });
  }

  here(): string | null {
    return focusedRow(this.#scroller)?.dataset.key ?? null;
  }

  /** Call after the rows are drawn. */
  drawn(count: number): void {
    this.#count = count;
    this.#focusWanted();
  }

  listen(): () => void {
    const element = this.#scroller;
    const press = (event: KeyboardEvent) => this.#press(event);
    const letGo = () => {
      this.#wanted = null;
    };
    element?.addEventListener('keydown', press);
    element?.addEventListener('wheel', letGo, { passive: true });
    element?.addEventListener('pointerdown', letGo);
    return () => {
      element?.removeEventListener('keydown', press);
      element?.removeEventListener('wheel', letGo);
      element?.removeEventListener('pointerdown', letGo);
    };
  }

  #press(event: KeyboardEvent): void {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    if (event.target instanceof Element && event.target.closest('thead')) return;
    const height = this.#scroller?.clientHeight ?? 0;
    const screenful = Math.max(1, Math.floor((height - HEAD_HEIGHT) / this.#rowHeight) - 1);
    const moves: Record<string, () => void> = {
      ArrowDown: () => this.step(1),
      ArrowUp: () => this.step(-1),
      PageDown: () => this.step(screenful),
      PageUp: () => this.step(-screenful),
      Home: () => this.#go(0),
      End: () => this.#go(this.#count - 1),
    };
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    move();
  }

  #go(index: number): void {
    const element = this.#scroller;
    if (!element || this.#count === 0) return;
    const to = Math.max(0, Math.min(this.#count - 1, index));
    this.#wanted = to;
    // The row in focus may cease to exist on the way; the table then still hears the keys.
    if (element.contains(document.activeElement)) element.focus({ preventScroll: true });
    this.#reveal(element, to);
    this.#focusWanted();
  }

  /** Scrolls as little as needed. */
  #reveal(element: HTMLElement, index: number): void {
    const top = index * this.#rowHeight;
    const below = top + this.#rowHeight + HEAD_HEIGHT - element.clientHeight;
    if (element.scrollTop > top) element.scrollTop = top;
    else if (element.clientHeight > 0 && element.scrollTop < below) element.scrollTop = below;
  }

  #focusWanted(): void {
    if (this.#wanted === null) return;
    const link = this.#scroller?.querySelector<HTMLElement>(`tr[data-index="${this.#wanted}"] [data-row-link]`);
    if (!link) return;
    this.#wanted = null;
    link.focus({ preventScroll: true });
  }
}
