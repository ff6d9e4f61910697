/** Where the focus was, and what is nearest to it when that is gone: a deleted row leaves it to the next one. */

const FOCUSABLE = 'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [tabindex="0"]';

interface Step {
  element: Element;
  /** Its place among the children of the one around it. */
  index: number;
}

/** Remembers a place; what it gives puts the focus there again, or as near as can be. */
export function rememberPlace(element: Element): () => void {
  const path = pathOf(element);
  return () => {
    const gone = path.findLastIndex((step) => !step.element.isConnected);
    if (gone === -1) return focus(element);
    for (const [at, { element: around }] of path.entries()) {
      if (at <= gone) continue;
      const near = nearest(around, path[at - 1]!);
      if (near) return focus(near);
      if (around.hasAttribute('tabindex')) return focus(around);
    }
    return undefined;
  };
}

/** From the element outwards. */
function pathOf(element: Element): Step[] {
  const path: Step[] = [];
  for (let one: Element | null = element; one && one !== document.body; one = one.parentElement) {
    path.push({ element: one, index: [...(one.parentElement?.children ?? [])].indexOf(one) });
  }
  return path;
}

/** What took the place of the one that is gone, or the last before it. */
function nearest(around: Element, { element, index }: Step): Element | null {
  const row = element instanceof HTMLElement ? element.dataset.index : undefined;
  // Of a long table only some rows exist: one that was scrolled away leaves the focus to the table itself.
  if (row !== undefined)
    return (
      firstIn(around.querySelector(`:scope > [data-index="${row}"]`)) ?? lastRow(around, Number(row)) ?? around.closest('[tabindex="0"]')
    );
  const children = [...around.children];
  const candidates = [...children.slice(index, index + 1), ...children.slice(0, index).toReversed()];
  return candidates.reduce<Element | null>((found, child) => found ?? firstIn(child), null);
}

/** The one before, where the last of all rows is gone. */
function lastRow(around: Element, index: number): Element | null {
  return firstIn(around.querySelector(`:scope > [data-index="${index - 1}"]:last-child`));
}

function firstIn(element: Element | null): Element | null {
  if (!element) return null;
  return element.matches(FOCUSABLE) ? element : (element.querySelector('[data-row-link]') ?? element.querySelector(FOCUSABLE));
}

function focus(element: Element): void {
  if (element instanceof HTMLElement) element.focus({ preventScroll: true });
}
