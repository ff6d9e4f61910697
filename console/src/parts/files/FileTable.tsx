/** The names in a folder: folders first, sorted by the server. */
import type { ReactNode } from 'react';
import { pathInto, shownPath } from '@/api/files';
import type { FileEntry, FileOrder, FileSort } from '@/api/files';
import { useT } from '@/app/i18n';
import type { MessageKey } from '@/app/i18n';
import { Icon } from '@/ui/icons';
import type { IconName } from '@/ui/icons';
import { Copy } from '@/ui/words/clipboard';
import { formatBytes } from '@/ui/words/format';
import { Ago } from '@/ui/words/Time';
import table from '@/ui/table/table.module.css';
import ink from '@/ui/theme/ink.module.css';
import type { FileSource } from './source';
import style from './Files.module.css';

const ICONS: Record<FileEntry['kind'], IconName> = { file: 'audit', folder: 'projects', link: 'move', other: 'cordoned' };

const SORT_WORDS: Record<FileSort, MessageKey> = { name: 'files.by.name', size: 'files.by.size', modified: 'files.by.modified' };

/** Which rows are chosen, by their keys. */
export interface FileChoice {
  chosen: ReadonlySet<string>;
  toggle: (key: string, range: boolean) => void;
  toggleAll: () => void;
}

/** More buttons of a row. */
export type RowActs = (entry: FileEntry, path: string) => ReactNode;

interface Props {
  source: FileSource;
  path: string;
  /** Where tasks find the folder. */
  inside: string | null;
  entries: FileEntry[];
  order: FileOrder;
  open: string | undefined;
  choice: FileChoice | undefined;
  acts: RowActs | undefined;
  onOrder: (order: FileOrder) => void;
  onFolder: (key: string) => void;
  onFile: (entry: FileEntry) => void;
}

export function FileTable({ source, path: folder, inside, entries, order, open, choice, acts, onOrder, onFolder, onFile }: Props) {
  const t = useT();
  return (
    <table className={`${table.table} ${style.table}`} data-acts={acts ? 'many' : undefined}>
      <thead>
        <tr>
          {choice && (
            <th className={style.choose}>
              <input
                type="checkbox"
                aria-label={t('files.chooseAll')}
                checked={choice.chosen.size === entries.length}
                ref={(box) => {
                  if (box) box.indeterminate = choice.chosen.size > 0 && choice.chosen.size < entries.length;
                }}
                onChange={choice.toggleAll}
              />
            </th>
          )}
          <SortHead of="name" order={order} onOrder={onOrder} />
          <SortHead of="size" order={order} onOrder={onOrder} />
          <SortHead of="modified" order={order} onOrder={onOrder} />
          <th className={style.acts}>
            <span className={style.unseen}>{t('files.acts')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => {
          const path = pathInto(folder, entry.key);
          const readable = entry.kind === 'file' || entry.kind === 'folder';
          return (
            <tr
              key={entry.key}
              className={table.row}
              data-key={entry.key}
              data-chosen={entry.key === open || choice?.chosen.has(entry.key) || undefined}
            >
              {choice && (
                <td className={style.choose}>
                  <input
                    type="checkbox"
                    aria-label={t('files.choose', { name: entry.name })}
                    checked={choice.chosen.has(entry.key)}
                    onChange={(event) => choice.toggle(entry.key, (event.nativeEvent as MouseEvent).shiftKey)}
                  />
                </td>
              )}
              <td>
                <span className={style.name}>
                  <Icon name={ICONS[entry.kind]} size={14} />
                  {readable ? (
                    <button
                      type="button"
                      className={ink.cut}
                      title={entry.name}
                      data-row-link
                      onClick={() => (entry.kind === 'folder' ? onFolder(entry.key) : onFile(entry))}
                    >
                      {entry.name}
                    </button>
                  ) : (
                    <span className={`${ink.cut} ${ink.quiet}`} title={t(entry.kind === 'link' ? 'files.isLink' : 'files.isOther')}>
                      {entry.target === null ? entry.name : `${entry.name} → ${entry.target}`}
                    </span>
                  )}
                </span>
              </td>
              <td data-align="right">{entry.kind === 'file' ? formatBytes(entry.size) : ''}</td>
              <td className={style.modified}>
                <Ago at={entry.modified} />
              </td>
              <td className={style.acts}>
                {readable && (
                  <a
                    className={style.act}
                    href={source.url(path)}
                    download
                    aria-label={t('files.download', { name: entry.name })}
                    title={t('files.download', { name: entry.name })}
                  >
                    <Icon name="download" size={14} />
                  </a>
                )}
                <Copy
                  text={inside === null ? shownPath(path) : `${inside}/${shownPath(path)}`}
                  label={t('files.copyPath', { name: entry.name })}
                  size={24}
                />
                {acts?.(entry, path)}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function SortHead({ of, order, onOrder }: { of: FileSort; order: FileOrder; onOrder: (order: FileOrder) => void }) {
  const t = useT();
  const on = order.sort === of;
  return (
    <th
      className={style[of]}
      data-align={of === 'size' ? 'right' : undefined}
      aria-sort={on ? (order.descending ? 'descending' : 'ascending') : undefined}
    >
      <button
        type="button"
        className={style.sort}
        // Names begin with a; of sizes and times the largest and latest are asked for.
        onClick={() => onOrder({ sort: of, descending: on ? !order.descending : of !== 'name' })}
      >
        {t(SORT_WORDS[of])}
        {on && <Icon name={order.descending ? 'down' : 'up'} size={12} />}
      </button>
    </th>
  );
}
