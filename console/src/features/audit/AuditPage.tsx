/** The audit log: who did what, when, from where; with what it was before and after. */
import { Button } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, useMemo, useState } from 'react';
import { auditExport, auditKeys, listAudit } from '@/api/audit';
import type { AuditEntry } from '@/api/audit';
import { useSentence, useT } from '@/app/i18n';
import { DataTable } from '@/ui/table/DataTable';
import type { Column } from '@/ui/table/DataTable';
import { Icon } from '@/ui/icons';
import { ListPage } from '@/ui/page/ListPage';
import { EmptyState } from '@/ui/page/States';
import { Exact } from '@/ui/words/Time';
import { whence } from './acts';
import { AuditFilters } from './AuditFilters';
import { filterOf } from './filter';
import { isFiltered } from './search';
import type { AuditSearch } from './search';
import ink from '@/ui/theme/ink.module.css';
import style from '@/ui/table/lists.module.css';

const EntryDialog = lazy(() => import('./EntryDialog'));
const VerifyDialog = lazy(() => import('./VerifyDialog'));
const route = getRouteApi('/app/audit');

export function AuditPage() {
  const t = useT();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const change = (part: Partial<AuditSearch>) => void navigate({ search: (old) => ({ ...old, ...part }), replace: true });
  const reset = () => void navigate({ search: {}, replace: true });
  const filter = filterOf(search);
  const [opened, setOpened] = useState<AuditEntry | null>(null);
  const [verifying, setVerifying] = useState(false);
  const log = useInfiniteQuery({
    queryKey: auditKeys.list(filter),
    queryFn: ({ pageParam, signal }) => listAudit(filter, pageParam ?? undefined, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: keepPreviousData,
  });
  const rows = useMemo(() => log.data?.pages.flatMap(({ items }) => items) ?? [], [log.data]);
  const columns = useColumns(setOpened);
  const actions = (
    <>
      <Button variant="default" leftSection={<Icon name="audit" />} onClick={() => setVerifying(true)}>
        {t('audit.verify')}
      </Button>
      <Button variant="default" component="a" href={auditExport(filter, 'csv')} download leftSection={<Icon name="download" />}>
        {t('audit.exportCsv')}
      </Button>
      <Button variant="default" component="a" href={auditExport(filter, 'jsonl')} download leftSection={<Icon name="download" />}>
        {t('audit.exportLines')}
      </Button>
    </>
  );
  const nothing = isFiltered(search) ? (
    <EmptyState
      icon="filter"
      title={t('audit.noMatch')}
      action={
        <Button variant="default" onClick={reset}>
          {t('list.clear')}
        </Button>
      }
    />
  ) : (
    <EmptyState icon="audit" title={t('audit.none')}>
      {t('audit.noneText')}
    </EmptyState>
  );
  return (
    <ListPage
      title={t('audit.title')}
      actions={!log.isError && actions}
      fill
      above={!log.isError && <AuditFilters search={search} onChange={change} onReset={reset} />}
      list={{ rows, status: log.data ? 'success' : log.status, error: log.error, retry: () => void log.refetch() }}
      bones={10}
      none={nothing}
      below={
        log.hasNextPage && (
          <div>
            <Button variant="default" loading={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
              {t('audit.earlier')}
            </Button>
          </div>
        )
      }
      dialogs={
        <>
          {opened && <EntryDialog entry={opened} onClose={() => setOpened(null)} />}
          {verifying && <VerifyDialog onClose={() => setVerifying(false)} />}
        </>
      }
    >
      {() => (
        <div className={style.frame}>
          <DataTable
            label={t('audit.title')}
            columns={columns}
            rows={rows}
            rowKey={({ seq }) => String(seq)}
            dimmed={log.isPlaceholderData}
          />
        </div>
      )}
    </ListPage>
  );
}

function useColumns(onOpen: (entry: AuditEntry) => void): Column<AuditEntry>[] {
  const t = useT();
  const say = useSentence();
  return useMemo(
    () => [
      { id: 'time', header: t('audit.time'), width: '204px', cell: ({ time }) => <Exact at={time} /> },
      {
        id: 'text',
        header: t('audit.what'),
        min: 180,
        cell: (entry) => (
          <button type="button" className={style.plain} title={say(entry.text)} onClick={() => onOpen(entry)}>
            {say(entry.text)}
          </button>
        ),
      },
      {
        id: 'reason',
        header: t('audit.reason'),
        width: '20%',
        hideBelow: 'desktop',
        cell: ({ reason }) => (
          <span className={ink.quiet} title={reason}>
            {reason}
          </span>
        ),
      },
      { id: 'by', header: t('audit.by'), width: '128px', hideBelow: 'phone', cell: ({ by }) => by },
      {
        id: 'address',
        header: t('audit.from'),
        width: '220px',
        hideBelow: 'tablet',
        cell: (entry) => (
          <span className={ink.quiet} title={whence(entry, t)}>
            {whence(entry, t)}
          </span>
        ),
      },
      { id: 'seq', header: t('audit.number'), width: '84px', align: 'right', hideBelow: 'desktop', cell: ({ seq }) => seq },
    ],
    [t, say, onOpen],
  );
}
