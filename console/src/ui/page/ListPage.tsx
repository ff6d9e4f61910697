/** A list with its states: bones until it is there, why it is not, what to do where it is empty, else its rows. */
import type { ReactNode } from 'react';
import { Suspense } from 'react';
import { Page, Panel } from './Panel';
import { ErrorState, Skeleton } from './States';

export interface Listing<Row> {
  rows: Row[];
  /** Of the first answer: what came once stays when the next one fails. */
  status: 'pending' | 'error' | 'success';
  error: unknown;
  retry: () => void;
}

interface StatesProps<Row> {
  list: Listing<Row>;
  /** As many as there may be rows. */
  bones?: number;
  /** What is shown in place of no rows. */
  none?: ReactNode;
  children: (rows: Row[]) => ReactNode;
}

interface PageProps<Row> extends StatesProps<Row> {
  title: string;
  actions?: ReactNode;
  /** What stands above the list whatever its state: a sentence, filters. */
  above?: ReactNode;
  /** What stands below it. */
  below?: ReactNode;
  /** What lies above the page; it may be fetched when it is opened. */
  dialogs?: ReactNode;
  fill?: boolean;
}

export function ListPage<Row>({ title, actions, above, below, dialogs, fill, ...states }: PageProps<Row>) {
  return (
    <Page title={title} actions={actions} fill={fill}>
      {above}
      <ListStates {...states} />
      {below}
      <Suspense fallback={null}>{dialogs}</Suspense>
    </Page>
  );
}

interface PanelProps<Row> extends StatesProps<Row> {
  title: string;
  aside?: ReactNode;
  dialogs?: ReactNode;
}

/** The same as one panel among several. */
export function ListPanel<Row>({ title, aside, dialogs, ...states }: PanelProps<Row>) {
  return (
    <Panel title={title} aside={aside} flush>
      <ListStates small {...states} />
      <Suspense fallback={null}>{dialogs}</Suspense>
    </Panel>
  );
}

export function ListStates<Row>({ list, bones, small, none, children }: StatesProps<Row> & { small?: boolean }) {
  if (list.status === 'pending') return <Skeleton rows={bones} />;
  if (list.status === 'error') return <ErrorState small={small} error={list.error} retry={list.retry} />;
  return list.rows.length === 0 && none ? none : children(list.rows);
}
