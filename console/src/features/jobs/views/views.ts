/** Views: filters, order and columns under a name. Some are built in; one's own are among the preferences. */
import type { SavedView } from '@/api/me';
import type { MessageKey } from '@/app/i18n';
import { one, parseSearch, stringifySearch } from '@/app/search';
import { readColumns } from './column-choice';
import type { ColumnId } from './column-choice';
import { DEFAULT_SORT, jobsSearch, toQuery } from '../search';
import type { JobsSearch } from '../search';

export const PAGE = 'jobs';
export const LONGEST_NAME = 100;
export const MOST_VIEWS = 50;

export interface BuiltInView {
  label: MessageKey;
  search: JobsSearch;
}

export const BUILT_IN: BuiltInView[] = [
  { label: 'views.all', search: {} },
  { label: 'views.mine', search: { owner: 'me' } },
  { label: 'views.running', search: { state: ['starting', 'running', 'stopping'] } },
  { label: 'views.waiting', search: { state: ['queued'] } },
  { label: 'views.failed', search: { state: ['failed'], sort: '-ended' } },
];

/** The same filters in the same order, whatever the view is called. */
export function sameSearch(some: JobsSearch, other: JobsSearch): boolean {
  return queryOf(some, null) === queryOf(other, null);
}

/** What is kept of a view; the columns only where the person chose them. */
export function queryOf(search: JobsSearch, columns: ColumnId[] | null): string {
  const { sort, ...filters } = toQuery(search);
  return stringifySearch({ ...filters, sort: sort === DEFAULT_SORT ? undefined : sort, columns: columns?.join(',') }).slice(1);
}

export function readView({ query }: SavedView): { search: JobsSearch; columns: ColumnId[] | null } {
  const raw = parseSearch(query);
  return { search: { ...jobsSearch(raw), view: undefined }, columns: readColumns(one(raw.columns)) };
}

export interface OpenView {
  view: SavedView;
  /** What is shown differs from what was saved. */
  changed: boolean;
}

/** The saved view that the address names. */
export function openView(views: readonly SavedView[], search: JobsSearch, columns: ColumnId[] | null): OpenView | null {
  const view = views.find(({ name }) => name === search.view);
  if (!view) return null;
  const kept = readView(view);
  return { view, changed: queryOf(search, columns) !== queryOf(kept.search, kept.columns) };
}

/** One's views of this page. */
export function ownViews(views: readonly SavedView[]): SavedView[] {
  return views.filter(({ page }) => page === PAGE);
}

/** All views with `view` in the place of the one called `name`, at the end where there is none; null takes it away. */
export function withView(views: readonly SavedView[], name: string, view: SavedView | null): SavedView[] {
  const isIt = (other: SavedView) => other.page === PAGE && other.name === name;
  if (view === null) return views.filter((other) => !isIt(other));
  return views.some(isIt) ? views.map((other) => (isIt(other) ? view : other)) : [...views, view];
}
