/** The pages this tab visited lately, for the command palette. */

export interface Visit {
  path: string;
  title: string;
}

const STORAGE_KEY = 'danlu.visits';
const KEPT = 8;

/** The latest first. */
export function visits(): Visit[] {
  try {
    return JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '[]') as Visit[];
  } catch {
    return [];
  }
}

/** A page seen again, or under a better title, moves to the front. */
export function recordVisit(visit: Visit): void {
  const others = visits().filter(({ path }) => path !== visit.path);
  write([visit, ...others].slice(0, KEPT));
}

function write(list: Visit[]): void {
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify(list));
  } catch {
    // Nothing is recalled then.
  }
}
