/** Where the focus goes in an open sheet, and how keys move it through the items of a menu. */

const ITEMS = '[role^="menuitem"]:not([aria-disabled="true"])';

/** To what is chosen or asks for it, to the first item, or to the sheet itself. */
export function focusInside(sheet: HTMLElement | null): void {
  (
    sheet?.querySelector<HTMLElement>('[role="menuitemradio"][aria-checked="true"], [data-autofocus]') ??
    sheet?.querySelector<HTMLElement>(ITEMS) ??
    sheet
  )?.focus();
}

/** The arrows, Home, End, and the first letter of an item; false for other keys. */
export function moveFocus(menu: HTMLElement | null, key: string): boolean {
  const items = [...(menu?.querySelectorAll<HTMLElement>(ITEMS) ?? [])];
  const at = items.indexOf(document.activeElement as HTMLElement);
  const to =
    {
      ArrowDown: items[(at + 1) % items.length],
      ArrowUp: items.at(at <= 0 ? -1 : at - 1),
      Home: items[0],
      End: items.at(-1),
    }[key] ?? byLetter([...items.slice(at + 1), ...items.slice(0, at + 1)], key);
  to?.focus();
  return to !== undefined;
}

function byLetter(items: HTMLElement[], key: string): HTMLElement | undefined {
  return key.length === 1 && key !== ' ' ? items.find((item) => item.textContent.toLowerCase().startsWith(key.toLowerCase())) : undefined;
}
