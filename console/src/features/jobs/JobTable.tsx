/** The job table with its row menu, keys and foot. */
import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { titleOf } from '@/api/jobs';
import type { JobRow, JobSort } from '@/api/jobs';
import { useT } from '@/app/i18n';
import type { OpenMenu } from '@/parts/jobs/RowMenu';
import { useJobActions } from '@/parts/jobs/useJobActions';
import { DataTable } from '@/ui/table/DataTable';
import { useTableKeys } from '@/ui/table/useTableKeys';
import type { TableControl } from '@/ui/table/VirtualBody-focus';
import { BulkBar } from './bulk/BulkBar';
import type { ColumnId } from './views/column-choice';
import { useJobColumns } from './columns';
import { ListFoot, NewJobs } from './ListFoot';
import { DEFAULT_SORT } from './search';
import { useSelection } from './bulk/selection';
import type { JobList } from './useJobList';
import style from './Jobs.module.css';

const RowMenu = lazy(() => import('@/parts/jobs/RowMenu'));

/** Room for a state and, below it, its reason. */
const ROW_HEIGHT = 40;

interface Props {
  list: JobList;
  /** Names what is listed; with another, one begins at the top and with nothing chosen. */
  scope: string;
  columns: ColumnId[];
  sort: JobSort | undefined;
  onSort: (sort: JobSort) => void;
}

export function JobTable({ list, scope, columns: shown, sort, onSort }: Props) {
  const t = useT();
  const [menu, setMenu] = useState<OpenMenu | null>(null);
  const { run, dialogs } = useJobActions();
  const columns = useJobColumns(shown, setMenu);
  const selection = useSelection(list.rows, scope);
  const control = useRef<TableControl>(null);
  useTableKeys(control, selection);

  const first = useRef(scope);
  useEffect(() => {
    if (first.current !== scope) control.current?.top();
    first.current = scope;
  }, [scope]);

  const { count, view } = list;
  // Without a table nothing is scrolled away: what comes then is at the top.
  useEffect(() => () => view.set(0, 0), [view]);

  const label = useCallback((job: JobRow) => t('jobs.choose', { name: titleOf(job) }), [t]);
  const { ids, toggle, toggleAll } = selection;
  const choice = useMemo(
    () => ({ chosen: ids, label, allLabel: t('jobs.chooseAll', { count: list.rows.length }), onToggle: toggle, onToggleAll: toggleAll }),
    [ids, label, t, list.rows.length, toggle, toggleAll],
  );
  const long = useMemo(() => ({ count, onView: view.set, control }), [count, view]);

  return (
    <>
      <DataTable
        label={t('jobs.title')}
        columns={columns}
        rows={list.rows}
        rowKey={idOf}
        rowHeight={ROW_HEIGHT}
        sort={sort ?? DEFAULT_SORT}
        onSort={(by) => onSort(by as JobSort)}
        dimmed={list.stale}
        choice={choice}
        long={long}
      />
      <NewJobs list={list} onShow={() => control.current?.top()} />
      <div className={style.foot}>
        {selection.ids.size > 0 ? (
          <BulkBar selection={selection} onClone={(job) => run('clone', job)} />
        ) : (
          <ListFoot list={list} scope={scope} />
        )}
      </div>
      <Suspense fallback={null}>{menu && <RowMenu key={menu.job.id} open={menu} onClose={() => setMenu(null)} onAction={run} />}</Suspense>
      {dialogs}
    </>
  );
}

const idOf = (job: JobRow) => job.id;
