/** Terminals that were left, to return to within minutes: by tab of the browser, by job and task. */
const KEY = 'danlu.terminal';

export function keepSession(place: string, session: string): void {
  try {
    sessionStorage.setItem(`${KEY}.${place}`, session);
  } catch {
    // Where storage is refused, a new session begins.
  }
}

/** Given once: a copied tab must not take the session away from this one. */
export function takeSession(place: string): string | undefined {
  try {
    const session = sessionStorage.getItem(`${KEY}.${place}`) ?? undefined;
    sessionStorage.removeItem(`${KEY}.${place}`);
    return session;
  } catch {
    return undefined;
  }
}
