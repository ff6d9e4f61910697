/** The columns of the volumes. */
import { Link } from '@tanstack/react-router';
import type { Given, VolumeRow as Made } from '@/api/volumes';
import type { ReactNode } from 'react';
import type { MessageKey, Translate } from '@/app/i18n';
import { sharedInShort } from '@/parts/sharing/words';
import type { Column } from '@/ui/table/DataTable';
import { UsedBar } from './UsedBar';
import { KIND_WORDS } from './words';
import lists from '@/ui/table/lists.module.css';
import ink from '@/ui/theme/ink.module.css';
import style from './Volumes.module.css';

/** A volume, or one of the two that everybody has. */
export type VolumeRow = Made | { given: Given };

export const GIVEN_WORDS: Record<Given, { name: MessageKey; about: MessageKey; at: string }> = {
  personal: { name: 'volumes.personal', about: 'volumes.personalText', at: '/mnt' },
  archive: { name: 'volumes.archive', about: 'volumes.archiveText', at: '/archives' },
};

const isMade = (row: VolumeRow): row is Made => !('given' in row);

export function volumeColumns(t: Translate, me: string): Column<VolumeRow>[] {
  /** Of those that were made; the two that are given have nothing to say there. */
  const made = (cell: (volume: Made) => ReactNode) => (row: VolumeRow) => (isMade(row) ? cell(row) : null);
  return [
    {
      id: 'name',
      header: t('jobs.name'),
      cell: (row) => (isMade(row) ? <Name volume={row} t={t} /> : <GivenName {...row} t={t} />),
    },
    {
      id: 'kind',
      header: t('volumes.kind'),
      width: '120px',
      hideBelow: 'tablet',
      cell: made(({ kind }) => t(KIND_WORDS[kind])),
    },
    {
      id: 'used',
      header: t('volumes.used'),
      cell: (row) =>
        isMade(row) ? (
          <UsedBar volume={row} aged />
        ) : (
          <span className={ink.quiet}>{t('volumes.inJobs', { path: `${GIVEN_WORDS[row.given].at}/${me}` })}</span>
        ),
    },
    {
      id: 'owner',
      header: t('jobs.owner'),
      width: '112px',
      hideBelow: 'phone',
      cell: (row) => (!isMade(row) || row.owner === me ? t('volumes.mine') : row.owner),
    },
    {
      id: 'mounts',
      header: t('volumes.mountedBy'),
      width: '144px',
      hideBelow: 'tablet',
      cell: made(({ mounts, mounted_by: names }) => mounts > 0 && <MountedBy mounts={mounts} names={names} t={t} />),
    },
    {
      id: 'shared',
      header: t('volumes.shared'),
      width: '152px',
      hideBelow: 'tablet',
      cell: made((volume) => {
        const names = sharedInShort(volume, t);
        return names ? <span title={names}>{names}</span> : <span className={ink.quiet}>{t('volumes.onlyOwner')}</span>;
      }),
    },
  ];
}

/** The first job by name, and how many others there are; only how many where none may be read. */
function MountedBy({ mounts, names, t }: { mounts: number; names: string[]; t: Translate }) {
  const [first] = names;
  if (first === undefined) return t('volumes.mounts', { count: mounts });
  return (
    <span className={ink.cut} title={names.join(', ')}>
      {mounts === 1 ? first : t('volumes.mountsNamed', { name: first, count: mounts - 1 })}
    </span>
  );
}

function Name({ volume: { id, name, sensitive, public: open }, t }: { volume: Made; t: Translate }) {
  return (
    <span className={style.name}>
      <Link to="/volumes/$volume" params={{ volume: id }} className={`${ink.link} ${ink.cut}`} title={name} data-row-link={id}>
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
    </span>
  );
}

function GivenName({ given, t }: { given: Given; t: Translate }) {
  const { name, about } = GIVEN_WORDS[given];
  return (
    <Link to="/volumes/$volume" params={{ volume: given }} className={ink.link} title={t(about)} data-row-link={given}>
      {t(name)}
    </Link>
  );
}
