/** The job list: filtered, sorted and paged by the server, kept fresh by the live connection. */
import { ActionIcon, Button, NativeSelect } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import { listJobs } from '@/api/jobs';
import type { JobSort } from '@/api/jobs';
import { keys } from '@/api/keys';
import type { JobPage } from '@/api/types';
import { useT } from '@/app/i18n';
import { pollWithoutLive, useLive } from '@/app/queries';
import { DataTable } from '@/ui/DataTable';
import { Icon } from '@/ui/icons';
import { Page } from '@/ui/Panel';
import { EmptyState, ErrorState, Skeleton } from '@/ui/States';
import { useJobColumns } from './columns';
import { useJobActions } from './useJobActions';
import { JobFilters } from './JobFilters';
import { RowMenu } from './RowMenu';
import type { OpenMenu } from './RowMenu';
import { isFiltered, PAGE_SIZES, toQuery } from './search';
import type { JobsSearch } from './search';
import style from './Jobs.module.css';

const route = getRouteApi('/app/jobs');

export function JobsPage() {
  const t = useT();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  useLive('jobs');
  const query = toQuery(search);
  const jobs = useQuery({
    queryKey: keys.jobPage(query),
    queryFn: ({ signal }) => listJobs(query, signal),
    placeholderData: keepPreviousData,
    refetchInterval: pollWithoutLive,
  });

  const change = (part: Partial<JobsSearch>) =>
    void navigate({ search: (old) => ({ ...old, cursor: undefined, ...part }), replace: !('cursor' in part) });

  return (
    <Page title={t('jobs.title')} actions={<NewJob />} fill>
      <JobFilters search={search} onChange={change} onReset={() => void navigate({ search: { sort: search.sort, limit: search.limit } })} />
      <div className={style.tableFrame}>
        {jobs.isPending && <Skeleton rows={12} />}
        {jobs.isError && !jobs.data && <ErrorState error={jobs.error} retry={() => void jobs.refetch()} />}
        {jobs.data && <Listed page={jobs.data} search={search} stale={jobs.isPlaceholderData} onChange={change} />}
      </div>
    </Page>
  );
}

function NewJob() {
  const t = useT();
  return (
    <Button leftSection={<Icon name="plus" />} renderRoot={(props) => <Link to="/jobs/new" {...props} />}>
      {t('jobs.new')}
    </Button>
  );
}

interface ListedProps {
  page: JobPage;
  search: JobsSearch;
  stale: boolean;
  onChange: (part: Partial<JobsSearch>) => void;
}

function Listed({ page, search, stale, onChange }: ListedProps) {
  const t = useT();
  const [menu, setMenu] = useState<OpenMenu | null>(null);
  const { run, dialogs } = useJobActions();
  const columns = useJobColumns(useCallback((open: OpenMenu) => setMenu(open), []));
  useHotkeys([['j', () => stepRow(1)], ['k', () => stepRow(-1)]]);

  if (page.items.length === 0) {
    return <Nothing search={search} onReset={() => onChange({ search: undefined, state: undefined, kind: undefined, owner: undefined, project: undefined })} />;
  }
  return (
    <>
      <DataTable
        label={t('jobs.title')}
        columns={columns}
        rows={page.items}
        rowKey={(job) => job.id}
        sort={search.sort ?? '-created'}
        onSort={(sort) => onChange({ sort: sort as JobSort })}
        dimmed={stale}
      />
      <Pager page={page} search={search} onChange={onChange} />
      <RowMenu open={menu} onClose={() => setMenu(null)} onAction={run} />
      {dialogs}
    </>
  );
}

function Nothing({ search, onReset }: { search: JobsSearch; onReset: () => void }) {
  const t = useT();
  if (isFiltered(search) || search.cursor) {
    const reset = <Button variant="default" onClick={onReset}>{t('jobs.reset')}</Button>;
    return <EmptyState icon="filter" title={t('jobs.noMatch')} action={reset}>{t('jobs.noMatchText')}</EmptyState>;
  }
  return <EmptyState icon="jobs" title={t('jobs.none')} action={<NewJob />}>{t('jobs.noneText')}</EmptyState>;
}

function Pager({ page, search, onChange }: Omit<ListedProps, 'stale'>) {
  const t = useT();
  // Cursors point forward only; the way back is what this visit went through.
  const [trail, setTrail] = useState<(string | undefined)[]>([]);
  const back = () => {
    onChange({ cursor: search.cursor === undefined ? undefined : trail.at(-1) });
    setTrail(trail.slice(0, -1));
  };
  const forth = () => {
    setTrail(search.cursor === undefined ? [undefined] : [...trail, search.cursor]);
    onChange({ cursor: page.next_cursor ?? undefined });
  };
  return (
    <div className={style.pager}>
      <span className={style.quiet} role="status">{t('jobs.total', { count: page.total })}</span>
      <NativeSelect
        aria-label={t('jobs.pageSize')}
        className={style.pageSize}
        data={PAGE_SIZES.map((size) => ({ value: String(size), label: t('jobs.perPage', { count: size }) }))}
        value={String(search.limit ?? PAGE_SIZES[0])}
        onChange={(event) => onChange({ limit: Number(event.currentTarget.value) })}
      />
      <ActionIcon variant="default" aria-label={t('jobs.previous')} title={t('jobs.previous')} disabled={search.cursor === undefined} onClick={back}>
        <Icon name="left" />
      </ActionIcon>
      <ActionIcon variant="default" aria-label={t('jobs.next')} title={t('jobs.next')} disabled={!page.next_cursor} onClick={forth}>
        <Icon name="right" />
      </ActionIcon>
    </div>
  );
}

/** j and k move from row to row; Enter then follows the link. */
function stepRow(step: 1 | -1): void {
  const links = [...document.querySelectorAll<HTMLElement>('[data-row-link]')];
  const at = links.indexOf(document.activeElement as HTMLElement);
  const next = at === -1 ? 0 : Math.min(links.length - 1, Math.max(0, at + step));
  links[next]?.focus();
}
