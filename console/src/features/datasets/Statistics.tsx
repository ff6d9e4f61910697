/** What is in a version: by the endings of names, by size, the columns of its tables, and what was left out. */
import type { ReactNode } from 'react';
import { useMemo } from 'react';
import { Link } from '@tanstack/react-router';
import type { Dataset, DatasetSummary, DatasetVersion } from '@/api/datasets';
import { splitPath } from '@/api/files';
import type { MessageKey, Translate } from '@/app/i18n';
import { useT } from '@/app/i18n';
import { Facts, Notice, Panel } from '@/ui/page/Panel';
import { DataTable } from '@/ui/table/DataTable';
import type { Column } from '@/ui/table/DataTable';
import { Copy } from '@/ui/words/clipboard';
import { formatBytes } from '@/ui/words/format';
import { Ago, Exact } from '@/ui/words/Time';
import layout from '@/ui/page/layout.module.css';
import ink from '@/ui/theme/ink.module.css';
import style from './Datasets.module.css';

type Count = DatasetSummary['endings'][number];
type Table = DatasetSummary['tables'][number];

export default function Statistics({ dataset, version, choice }: { dataset: Dataset; version: DatasetVersion; choice: ReactNode }) {
  const t = useT();
  const { summary } = version;
  const endings = useMemo(() => columnsOf(t, t('datasets.ending'), (name) => (name ? `.${name}` : t('datasets.noEnding')), 'bytes'), [t]);
  const sizes = useMemo(() => columnsOf(t, t('datasets.sizeOfFile'), (name) => name, 'files'), [t]);
  return (
    <div className={layout.parts}>
      <div>{choice}</div>
      <LeftOut summary={summary} />
      <div className={layout.columns}>
        <div className={layout.column}>
          <Panel title={t('datasets.aboutVersion', { version: version.version })}>
            <AboutVersion version={version} />
          </Panel>
          <Panel title={t('datasets.bySize')} flush>
            <DataTable label={t('datasets.bySize')} columns={sizes} rows={shared(summary.sizes, 'files')} rowKey={({ name }) => name} />
          </Panel>
        </div>
        <Panel title={t('datasets.byEnding')} flush>
          <DataTable label={t('datasets.byEnding')} columns={endings} rows={shared(summary.endings, 'bytes')} rowKey={({ name }) => name} />
        </Panel>
      </div>
      {summary.tables.map((table) => (
        <Schema key={table.path} dataset={dataset.id} version={version.version} table={table} />
      ))}
    </div>
  );
}

type Measured = Count & { share: number };

/** Each beside the largest of them. */
function shared(counts: readonly Count[], by: 'files' | 'bytes'): Measured[] {
  const most = Math.max(1, ...counts.map((count) => count[by]));
  return counts.map((count) => ({ ...count, share: count[by] / most }));
}

function columnsOf(t: Translate, header: string, called: (name: string) => string, by: 'files' | 'bytes'): Column<Measured>[] {
  return [
    { id: 'name', header, width: '128px', cell: ({ name }) => called(name) },
    {
      id: 'share',
      header: t(by === 'bytes' ? 'datasets.size' : 'datasets.files'),
      hiddenHeader: true,
      cell: ({ share }) => (
        <span className={style.bar} aria-hidden>
          <i style={{ width: `${Math.max(1, share * 100)}%` }} />
        </span>
      ),
    },
    { id: 'files', header: t('datasets.files'), width: '88px', align: 'right', cell: ({ files }) => files.toLocaleString() },
    { id: 'bytes', header: t('datasets.size'), width: '88px', align: 'right', cell: ({ bytes }) => formatBytes(bytes) },
  ];
}

function AboutVersion({ version }: { version: DatasetVersion }) {
  const t = useT();
  const { digest, files, folders, bytes, stored, summary } = version;
  return (
    <Facts
      items={[
        [t('datasets.files'), files.toLocaleString()],
        [t('datasets.folders'), folders.toLocaleString()],
        [t('datasets.size'), formatBytes(bytes)],
        [t('datasets.stored'), formatBytes(stored)],
        ...(summary.links > 0 ? ([[t('datasets.links'), summary.links.toLocaleString()]] as [string, string][]) : []),
        [t('datasets.made'), <Exact key="made" at={version.created_at} />],
        [t('datasets.by'), version.made_by],
        [t('datasets.from'), <From key="from" version={version} />],
        [t('datasets.verified'), <Verified key="verified" version={version} />],
        ...(version.note ? ([[t('datasets.note'), version.note]] as [string, string][]) : []),
        [
          'SHA-256',
          <span key="digest" className={style.digest}>
            <code className={ink.cut} title={digest}>
              {digest}
            </code>
            <Copy text={digest} label={t('datasets.copyDigest')} size={22} />
          </span>,
        ],
      ]}
    />
  );
}

/** The job that made it, or the place that it is a picture of. */
export function From({ version: { job_id: id, job, place } }: { version: DatasetVersion }): ReactNode {
  if (id === null) return <span title={place}>{place}</span>;
  return (
    <Link to="/jobs/$job" params={{ job: id }} className={ink.link}>
      {job ?? id}
    </Link>
  );
}

export function Verified({ version: { verified_at: at, damaged } }: { version: DatasetVersion }): ReactNode {
  const t = useT();
  if (at === null) return <span className={ink.quiet}>{t('datasets.notVerified')}</span>;
  if (damaged > 0) return <span className={ink.danger}>{t('datasets.damagedCount', { count: damaged })}</span>;
  return <Ago at={at} said="datasets.intact" />;
}

const LEFT: [keyof DatasetSummary & ('links_out' | 'special' | 'unreadable' | 'unsettled'), MessageKey][] = [
  ['links_out', 'datasets.linksOut'],
  ['special', 'datasets.special'],
  ['unreadable', 'datasets.unreadable'],
  ['unsettled', 'datasets.unsettled'],
];

function LeftOut({ summary }: { summary: DatasetSummary }) {
  const t = useT();
  const told = LEFT.filter(([name]) => summary[name] > 0);
  if (told.length === 0) return null;
  return (
    <Notice tone="amber" icon="warning" title={t('datasets.leftOut')}>
      <ul className={style.left}>
        {told.map(([name, word]) => (
          <li key={name}>{t(word, { count: summary[name] })}</li>
        ))}
        {summary.left_out.slice(0, 20).map((path) => (
          <li key={path}>
            <code>{path}</code>
          </li>
        ))}
      </ul>
    </Notice>
  );
}

function Schema({ dataset, version, table: { path, format, columns, rows } }: { dataset: string; version: string; table: Table }) {
  const t = useT();
  const [folder, file] = splitPath(path);
  const shown: Column<Table['columns'][number]>[] = [
    { id: 'name', header: t('datasets.column'), cell: ({ name }) => <span className={ink.strong}>{name}</span> },
    { id: 'type', header: t('datasets.type'), width: '160px', cell: ({ type }) => type ?? '' },
  ];
  return (
    <Panel
      title={`${format} · ${path}`}
      aside={
        <span className={layout.row}>
          {rows !== null && <span className={ink.quiet}>{t('files.rowCount', { count: rows })}</span>}
          <Link to="/datasets/$dataset" params={{ dataset }} search={{ tab: 'files', version, path: folder || undefined, file }}>
            {t('datasets.showRows')}
          </Link>
        </span>
      }
      flush
    >
      <DataTable label={path} columns={shown} rows={columns} rowKey={({ name }) => name} />
    </Panel>
  );
}
