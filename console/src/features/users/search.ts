/** What the address of the list of people holds. */
import { USER_ROLES, USER_STATES } from '@/api/people';
import type { UserQuery } from '@/api/people';
import { allowed, one } from '@/app/search';

export type UsersSearch = UserQuery;

export const NO_FILTERS = { search: undefined, role: undefined, group: undefined, state: undefined } as const satisfies UsersSearch;

export function usersSearch(raw: Record<string, unknown>): UsersSearch {
  return {
    search: one(raw.search),
    role: allowed(raw.role, USER_ROLES)[0],
    group: one(raw.group),
    state: allowed(raw.state, USER_STATES)[0],
  };
}

export function isFiltered(search: UsersSearch): boolean {
  return Object.values(search).some((value) => value !== undefined);
}
