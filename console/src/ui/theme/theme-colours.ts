/** The tokens' colours for what is drawn by script: canvases and terminals. */

/** The value of a token such as "blue" or "border", as the theme of this moment has it. */
export function tokenColour(token: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${token}`).trim();
}

/** Calls back after each change between light and dark. */
export function watchTheme(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-mantine-color-scheme'] });
  return () => observer.disconnect();
}
