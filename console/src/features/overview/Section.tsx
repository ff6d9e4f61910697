/** A panel of the overview over one question to the server: it loads, fails and is empty by itself. */
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Panel } from '@/ui/page/Panel';
import { ErrorState, Skeleton } from '@/ui/page/States';

interface Props<Data> {
  title: string;
  aside?: ReactNode;
  query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'isPending' | 'refetch'>;
  /** Rows of the skeleton. */
  rows?: number;
  children: (data: Data) => ReactNode;
}

export function Section<Data>({ title, aside, query, rows = 3, children }: Props<Data>) {
  return (
    <Panel title={title} aside={aside} flush>
      {query.isPending && <Skeleton rows={rows} />}
      {query.data === undefined && query.error && <ErrorState small error={query.error} retry={() => void query.refetch()} />}
      {query.data !== undefined && children(query.data)}
    </Panel>
  );
}
