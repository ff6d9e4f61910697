/** What changed from one version to another, file by file. */
import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useMemo, useState } from 'react';
import { datasetKeys, diffVersions } from '@/api/datasets';
import type { Dataset, DatasetChange, DatasetVersion } from '@/api/datasets';
import { splitPath } from '@/api/files';
import type { MessageKey, Translate } from '@/app/i18n';
import { useT } from '@/app/i18n';
import { Panel } from '@/ui/page/Panel';
import { EmptyState, ErrorState, Skeleton } from '@/ui/page/States';
import { DataTable } from '@/ui/table/DataTable';
import type { Column } from '@/ui/table/DataTable';
import { formatBytes } from '@/ui/words/format';
import { VersionChoice } from './VersionChoice';
import layout from '@/ui/page/layout.module.css';
import lists from '@/ui/table/lists.module.css';
import ink from '@/ui/theme/ink.module.css';
import style from './Datasets.module.css';

type Kind = DatasetChange['kind'];
const KINDS: Record<Kind, { word: MessageKey; sign: string; tone: string }> = {
  added: { word: 'datasets.added', sign: '+', tone: 'green' },
  removed: { word: 'datasets.removed', sign: '−', tone: 'red' },
  changed: { word: 'datasets.changedFile', sign: '~', tone: 'amber' },
};
const route = getRouteApi('/app/datasets/$dataset');

interface Props {
  dataset: Dataset;
  version: DatasetVersion;
  versions: readonly DatasetVersion[];
  choice: ReactNode;
}

export default function Changes({ dataset, version, versions, choice }: Props) {
  const t = useT();
  const { old } = route.useSearch();
  const navigate = route.useNavigate();
  const [kind, setKind] = useState<Kind | null>(null);
  const pages = useInfiniteQuery({
    queryKey: datasetKeys.diff(dataset.id, version.version, old),
    queryFn: ({ pageParam, signal }) => diffVersions(dataset.id, version.version, old, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor: next }) => next ?? undefined,
  });
  const first = pages.data?.pages[0];
  const all = useMemo(() => pages.data?.pages.flatMap(({ items }) => items) ?? [], [pages.data]);
  const rows = useMemo(() => all.filter((one) => kind === null || one.kind === kind), [all, kind]);
  const columns = useMemo(
    () => columnsOf(t, dataset.id, version.version, first?.old ?? version.version),
    [t, dataset.id, version.version, first?.old],
  );
  return (
    <div className={layout.parts}>
      <div className={lists.filters}>
        <VersionChoice
          label={t('datasets.compareWith')}
          versions={versions.filter(({ number }) => number !== version.number)}
          value={old ?? ''}
          none={t('datasets.theOneBefore')}
          onChange={(next) => void navigate({ search: (was) => ({ ...was, old: next || undefined }) })}
        />
        <span aria-hidden>→</span>
        {choice}
        <span className={layout.spring} />
        <fieldset className={lists.chips} aria-label={t('datasets.kindOfChange')}>
          {(Object.keys(KINDS) as Kind[]).map((one) => (
            <button
              key={one}
              type="button"
              className={lists.chip}
              aria-pressed={kind === one}
              onClick={() => setKind(kind === one ? null : one)}
            >
              {t(KINDS[one].word)} {all.filter((change) => change.kind === one).length.toLocaleString()}
              {pages.hasNextPage && '+'}
            </button>
          ))}
        </fieldset>
      </div>
      {pages.isPending && <Skeleton />}
      {pages.isError && !first && <ErrorState error={pages.error} retry={() => void pages.refetch()} />}
      {first && (
        <>
          <p className={ink.quiet}>
            {first.old === null
              ? t('datasets.firstVersion', { version: first.new })
              : t('datasets.comparing', { old: first.old, version: first.new })}
          </p>
          {all.length === 0 ? (
            <EmptyState icon="done" title={t('datasets.same')} small />
          ) : (
            <Panel flush>
              <DataTable label={t('datasets.changes')} columns={columns} rows={rows} rowKey={({ path }) => path} />
              {pages.hasNextPage && (
                <div className={style.more}>
                  <Button variant="default" loading={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
                    {t('datasets.moreChanges', { count: all.length })}
                  </Button>
                </div>
              )}
            </Panel>
          )}
        </>
      )}
    </div>
  );
}

function columnsOf(t: Translate, dataset: string, version: string, old: string): Column<DatasetChange>[] {
  return [
    {
      id: 'kind',
      header: t('datasets.change'),
      width: '112px',
      cell: ({ kind }) => (
        <span className={lists.tag} data-tone={KINDS[kind].tone}>
          <span aria-hidden>{KINDS[kind].sign} </span>
          {t(KINDS[kind].word)}
        </span>
      ),
    },
    {
      id: 'path',
      header: t('datasets.file'),
      min: 160,
      cell: ({ kind, path, name }) => {
        const [folder, file] = splitPath(path);
        return (
          <Link
            to="/datasets/$dataset"
            params={{ dataset }}
            search={{ tab: 'files', version: kind === 'removed' ? old : version, path: folder || undefined, file }}
            className={ink.link}
            title={name}
          >
            {name}
          </Link>
        );
      },
    },
    {
      id: 'old',
      header: t('datasets.before'),
      width: '92px',
      align: 'right',
      cell: ({ old_size: size }) => size !== null && formatBytes(size),
    },
    {
      id: 'new',
      header: t('datasets.after'),
      width: '92px',
      align: 'right',
      cell: ({ new_size: size }) => size !== null && formatBytes(size),
    },
  ];
}
