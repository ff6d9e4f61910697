/** What a person finds out about a form field and its window, for tests. */

export const valueOf = (field: HTMLElement): string => (field as HTMLInputElement).value;

export const isChosen = (field: HTMLElement): boolean => (field as HTMLInputElement).checked;

/** Off by itself, or with the group it stands in. */
export const isDisabled = (field: HTMLElement): boolean => field.closest(':disabled, fieldset:disabled') !== null;

/** The texts that describe it: help and mistakes. */
export const describes = (field: HTMLElement): string =>
  (field.getAttribute('aria-describedby') ?? '')
    .split(' ')
    .map((id) => document.getElementById(id)?.textContent ?? '')
    .filter((text) => text !== '')
    .join(' ');

/** How wide the window is. */
export const setWidth = (width: number): void =>
  (window as unknown as { happyDOM: { setViewport: (size: { width: number; height: number }) => void } }).happyDOM.setViewport({
    width,
    height: 900,
  });
