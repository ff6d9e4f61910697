/** The active jobs that mount a volume. */
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { Volume, VolumeUse } from '@/api/volumes';
import type { Translate } from '@/app/i18n';
import { useT } from '@/app/i18n';
import { Panel } from '@/ui/page/Panel';
import { EmptyState } from '@/ui/page/States';
import { DataTable } from '@/ui/table/DataTable';
import type { Column } from '@/ui/table/DataTable';
import { Copy } from '@/ui/words/clipboard';
import ink from '@/ui/theme/ink.module.css';

export default function Uses({ volume: { uses, title } }: { volume: Volume }) {
  const t = useT();
  const columns = useMemo(() => columnsOf(t), [t]);
  // Jobs that one may not see have no name.
  const rows = useMemo(() => uses.map((use, at) => ({ ...use, key: use.id ?? `${use.owner} ${at}` })), [uses]);
  if (rows.length === 0) {
    const line = `mounts: [{volume: "${title}", path: /data}]`;
    return (
      <EmptyState icon="jobs" title={t('volumes.unused')} action={<Copy words text={line} label={t('volumes.copyLine')} />}>
        {t('volumes.unusedText')}
        <br />
        <code>{line}</code>
      </EmptyState>
    );
  }
  return (
    <Panel flush>
      <DataTable label={t('volumes.use')} columns={columns} rows={rows} rowKey={({ key }) => key} />
    </Panel>
  );
}

function columnsOf(t: Translate): Column<VolumeUse>[] {
  return [
    {
      id: 'job',
      header: t('volumes.job'),
      cell: ({ id, job }) =>
        id === null ? (
          <span className={ink.quiet}>{t('volumes.hiddenJob')}</span>
        ) : (
          <Link to="/jobs/$job" params={{ job: id }} className={ink.link} data-row-link={id}>
            {job}
          </Link>
        ),
    },
    { id: 'owner', header: t('jobs.owner'), width: '124px', cell: ({ owner }) => owner },
    {
      id: 'mode',
      header: t('sharing.access'),
      width: '124px',
      cell: ({ read_only: readOnly }) => t(readOnly ? 'sharing.ro' : 'sharing.rw'),
    },
  ];
}
