/** Labels of a node as they are typed: which are reported, which given, and what a change of them says. */
import type { Node } from '@/api/nodes';
import { ApiError } from '@/api/problem';
import { mistakeText } from '@/app/refusals';

type Labelled = Pick<Node, 'labels' | 'given_labels'>;

export interface LabelRow {
  id: number;
  name: string;
  value: string;
}

/** What the node's engine says of it; where it is overruled, what holds instead is given. */
export function reportedBy({ labels, given_labels: given }: Labelled): Record<string, string> {
  return Object.fromEntries(Object.entries(labels).filter(([name]) => !(name in given)));
}

export function rowsOf({ given_labels: given }: Labelled): LabelRow[] {
  return Object.entries(given).map(([name, value], id) => ({ id, name, value }));
}

/** Only what is new or other; null takes a label away. A row without a name says nothing. */
export function changesOf({ given_labels: given }: Labelled, rows: readonly LabelRow[]): Record<string, string | null> {
  const said = Object.fromEntries(rows.map(({ name, value }) => [name.trim(), value.trim()] as const).filter(([name]) => name !== ''));
  const gone = Object.keys(given)
    .filter((name) => !(name in said))
    .map((name) => [name, null] as const);
  return Object.fromEntries([...Object.entries(said).filter(([name, value]) => given[name] !== value), ...gone]);
}

/** By the label's name; `elsewhere` is what stands at none of them. */
export function mistakesIn(error: unknown): { at: Partial<Record<string, string>>; elsewhere: unknown } {
  if (!(error instanceof ApiError)) return { at: {}, elsewhere: error };
  const { errors } = error.problem;
  const placed = errors.filter(({ loc }) => loc[0] === 'labels' && loc.length > 1);
  const at = Object.fromEntries(placed.map((one) => [String(one.loc[1]), mistakeText(one)] as const).toReversed());
  return { at, elsewhere: placed.length > 0 && placed.length === errors.length ? null : error };
}
