/** The columns of the datasets. */
import { Link } from '@tanstack/react-router';
import type { DatasetRow } from '@/api/datasets';
import type { Translate } from '@/app/i18n';
import { sharedInShort } from '@/parts/sharing/words';
import type { Column } from '@/ui/table/DataTable';
import { formatBytes } from '@/ui/words/format';
import { Ago } from '@/ui/words/Time';
import lists from '@/ui/table/lists.module.css';
import ink from '@/ui/theme/ink.module.css';
import style from './Datasets.module.css';

export function datasetColumns(t: Translate, me: string): Column<DatasetRow>[] {
  return [
    { id: 'name', header: t('jobs.name'), min: 160, cell: (row) => <Name row={row} t={t} /> },
    {
      id: 'version',
      header: t('datasets.version'),
      width: '84px',
      cell: ({ latest }) => latest ?? <span className={ink.quiet}>{t('datasets.noVersion')}</span>,
    },
    {
      id: 'files',
      header: t('datasets.files'),
      width: '92px',
      align: 'right',
      hideBelow: 'phone',
      cell: ({ latest, files }) => latest && files.toLocaleString(),
    },
    { id: 'size', header: t('datasets.size'), width: '92px', align: 'right', cell: ({ latest, bytes }) => latest && formatBytes(bytes) },
    {
      id: 'made',
      header: t('datasets.changed'),
      width: '116px',
      hideBelow: 'phone',
      cell: ({ latest_at: at, changed_at: changed }) => <Ago at={at ?? changed} />,
    },
    {
      id: 'owner',
      header: t('jobs.owner'),
      width: '112px',
      hideBelow: 'tablet',
      cell: ({ owner }) => (owner === me ? t('volumes.mine') : owner),
    },
    {
      id: 'shared',
      header: t('volumes.shared'),
      width: '148px',
      hideBelow: 'tablet',
      cell: (row) => {
        const names = sharedInShort(row, t);
        return names ? <span title={names}>{names}</span> : <span className={ink.quiet}>{t('volumes.onlyOwner')}</span>;
      },
    },
  ];
}

function Name({ row: { id, name, description, sensitive, public: open }, t }: { row: DatasetRow; t: Translate }) {
  return (
    <span className={style.name}>
      <Link to="/datasets/$dataset" params={{ dataset: id }} className={`${ink.link} ${style.first}`} title={name} data-row-link={id}>
        {name}
      </Link>
      {open && (
        <span className={lists.tag} data-tone="blue">
          {t('volumes.public')}
        </span>
      )}
      {sensitive && (
        <span className={lists.tag} data-tone="amber">
          {t('volumes.sensitive')}
        </span>
      )}
      {description && (
        <span className={`${ink.fine} ${ink.cut}`} title={description}>
          {description}
        </span>
      )}
    </span>
  );
}
