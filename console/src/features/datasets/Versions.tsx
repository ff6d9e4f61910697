/** The versions of a dataset, the newest first, and what can be done with each. */
import { getRouteApi, Link } from '@tanstack/react-router';
import { lazy, Suspense, useMemo, useState } from 'react';
import { datasetKeys, deleteVersion, verifyVersion } from '@/api/datasets';
import type { Dataset, DatasetVersion } from '@/api/datasets';
import type { Translate } from '@/app/i18n';
import { useT } from '@/app/i18n';
import { useSave } from '@/parts/useSave';
import { Icon } from '@/ui/icons';
import { AnchoredMenu } from '@/ui/menu/AnchoredMenu';
import { MenuItem } from '@/ui/menu/Dropdown';
import { Panel } from '@/ui/page/Panel';
import { ErrorState, Skeleton } from '@/ui/page/States';
import { DataTable } from '@/ui/table/DataTable';
import type { Column } from '@/ui/table/DataTable';
import { formatBytes } from '@/ui/words/format';
import { Ago } from '@/ui/words/Time';
import { NoVersion } from './DatasetPage';
import { From, Verified } from './Statistics';
import lists from '@/ui/table/lists.module.css';
import ink from '@/ui/theme/ink.module.css';
import style from './Datasets.module.css';

const Confirm = lazy(() => import('@/ui/dialog/Confirm'));
const TagDialog = lazy(() => import('./TagDialog'));
const route = getRouteApi('/app/datasets/$dataset');

interface Props {
  dataset: Dataset;
  versions: { data: DatasetVersion[] | undefined; error: unknown; refetch: () => unknown };
  writes: boolean;
  onMake: () => void;
}

interface Asked {
  what: 'tags' | 'delete';
  version: DatasetVersion;
}

export default function Versions({ dataset, versions: { data, error, refetch }, writes, onMake }: Props) {
  const t = useT();
  const [asked, setAsked] = useState<Asked | null>(null);
  const { id, name } = dataset;
  const { mutate: verify } = useSave({
    save: ({ version }: DatasetVersion) => verifyVersion(id, version),
    invalidate: [datasetKeys.acts(id)],
    failed: t('datasets.failed'),
  });
  const remove = useSave({
    save: ({ version }: DatasetVersion) => deleteVersion(id, version),
    close: () => setAsked(null),
    said: (_, { version }) => t('datasets.versionGone', { version, name }),
    invalidate: [datasetKeys.all],
    failed: t('datasets.versionStays'),
  });
  const columns = useMemo(() => columnsOf(t, id, { writes, verify, ask: setAsked }), [t, id, writes, verify]);
  if (!data) return error ? <ErrorState error={error} retry={() => void refetch()} /> : <Skeleton />;
  if (data.length === 0) return <NoVersion onMake={writes ? onMake : undefined} />;
  // Its tags may have changed while the dialog is open.
  const now = data.find((one) => one.id === asked?.version.id);
  return (
    <>
      <Panel flush>
        <DataTable label={t('datasets.versions')} columns={columns} rows={data} rowKey={(one) => one.id} />
      </Panel>
      <Suspense fallback={null}>
        {asked?.what === 'tags' && now && <TagDialog dataset={id} version={now} onClose={() => setAsked(null)} />}
        {asked?.what === 'delete' && (
          <Confirm
            title={t('datasets.deleteVersionTitle', { version: asked.version.version, name })}
            text={t('datasets.deleteVersionText', { size: formatBytes(asked.version.bytes) })}
            action={t('datasets.deleteVersion')}
            busy={remove.isPending}
            onConfirm={() => remove.mutate(asked.version)}
            onClose={() => setAsked(null)}
          />
        )}
      </Suspense>
    </>
  );
}

interface Acts {
  writes: boolean;
  verify: (version: DatasetVersion) => void;
  ask: (asked: Asked) => void;
}

function columnsOf(t: Translate, dataset: string, acts: Acts): Column<DatasetVersion>[] {
  return [
    {
      id: 'version',
      header: t('datasets.version'),
      width: '84px',
      cell: ({ version, note }) => (
        <Link
          to="/datasets/$dataset"
          params={{ dataset }}
          search={{ tab: 'files', version }}
          className={ink.link}
          title={note || undefined}
          data-row-link={version}
        >
          {version}
        </Link>
      ),
    },
    {
      id: 'tags',
      header: t('datasets.tags'),
      min: 96,
      cell: ({ tags }) => (
        <span className={style.name}>
          {tags.map((tag) => (
            <span key={tag} className={lists.tag} data-tone={tag === 'latest' ? 'blue' : 'violet'}>
              {tag}
            </span>
          ))}
        </span>
      ),
    },
    {
      id: 'files',
      header: t('datasets.files'),
      width: '88px',
      align: 'right',
      hideBelow: 'phone',
      cell: ({ files }) => files.toLocaleString(),
    },
    { id: 'size', header: t('datasets.size'), width: '88px', align: 'right', cell: ({ bytes }) => formatBytes(bytes) },
    {
      id: 'made',
      header: t('datasets.made'),
      width: '156px',
      hideBelow: 'phone',
      cell: ({ created_at: at, made_by: by }) => (
        <>
          <Ago at={at} /> <span className={ink.quiet}>· {by}</span>
        </>
      ),
    },
    { id: 'from', header: t('datasets.from'), min: 140, hideBelow: 'tablet', cell: (version) => <From version={version} /> },
    {
      id: 'verified',
      header: t('datasets.verified'),
      width: '148px',
      hideBelow: 'desktop',
      cell: (version) => <Verified version={version} />,
    },
    {
      id: 'actions',
      header: t('jobs.actions'),
      hiddenHeader: true,
      width: '48px',
      align: 'right',
      cell: (version) => <VersionMenu version={version} {...acts} />,
    },
  ];
}

function VersionMenu({ version, writes, verify, ask }: Acts & { version: DatasetVersion }) {
  const t = useT();
  const navigate = route.useNavigate();
  const [button, setButton] = useState<HTMLElement | null>(null);
  const label = t('datasets.actsFor', { version: version.version });
  const show = (tab: 'files' | 'statistics' | 'changes') => void navigate({ search: { tab, version: version.version } });
  return (
    <>
      <button
        type="button"
        className={lists.menuButton}
        aria-label={label}
        aria-haspopup="menu"
        title={label}
        onClick={(event) => setButton(event.currentTarget)}
      >
        <Icon name="more" size={14} />
      </button>
      {button && (
        <AnchoredMenu button={button} label={label} onClose={() => setButton(null)}>
          <MenuItem icon="projects" onChoose={() => show('files')}>
            {t('datasets.files')}
          </MenuItem>
          <MenuItem icon="panel" onChoose={() => show('statistics')}>
            {t('datasets.statistics')}
          </MenuItem>
          <MenuItem icon="move" onChoose={() => show('changes')}>
            {t('datasets.changes')}
          </MenuItem>
          <MenuItem icon="done" onChoose={() => verify(version)}>
            {t('datasets.verify')}
          </MenuItem>
          {writes && (
            <>
              <MenuItem icon="edit" onChoose={() => ask({ what: 'tags', version })}>
                {t('datasets.editTags')}
              </MenuItem>
              <MenuItem icon="trash" danger onChoose={() => ask({ what: 'delete', version })}>
                {t('datasets.deleteVersion')}
              </MenuItem>
            </>
          )}
        </AnchoredMenu>
      )}
    </>
  );
}
