/** What this browser remembers between visits, and this tab until somebody signs out; where storage is refused, nothing. */

export function stored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Null forgets. */
export function remember(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // It lasts for this visit only.
  }
}

/** Forgets what this tab remembers of the person who signs out: pages visited, terminals left open. */
export function forgetTab(): void {
  try {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith('danlu.')) sessionStorage.removeItem(key);
  } catch {
    // There is nothing to forget then.
  }
}
