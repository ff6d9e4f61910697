/** The columns of a file of rows, with what their values look like, and the first rows. */
import { useQuery } from '@tanstack/react-query';
import type { RowsPreview } from '@/api/volumes';
import { useT } from '@/app/i18n';
import { ErrorState, Skeleton } from '@/ui/page/States';
import ink from '@/ui/theme/ink.module.css';
import type { FileSource } from './source';
import style from './Files.module.css';

/** Which files the server reads rows of. */
export const HAS_ROWS = /\.(csv|tsv|jsonl|ndjson|parquet|pq)$/i;

interface Props {
  read: NonNullable<FileSource['rows']>;
  queryKey: readonly unknown[];
  path: string;
  name: string;
}

export function RowsShown({ read, queryKey, path, name }: Props) {
  const rows = useQuery({ queryKey: [...queryKey, 'rows'], queryFn: ({ signal }) => read(path, signal), retry: false });
  if (rows.isPending) return <Skeleton rows={6} />;
  if (rows.isError) return <ErrorState error={rows.error} retry={() => void rows.refetch()} small />;
  return <Table preview={rows.data} name={name} />;
}

function Table({ preview: { columns, rows, total, whole }, name }: { preview: RowsPreview; name: string }) {
  const t = useT();
  const count = total === null ? undefined : t('files.rowCount', { count: total });
  const hidden = columns.filter(({ shown }) => !shown).length;
  return (
    <>
      <p className={style.cut}>
        {[
          t('files.columnCount', { count: columns.length }),
          count,
          !whole && rows.length > 0 && t('files.firstRows'),
          hidden > 0 && t('files.hiddenColumns', { count: hidden }),
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must be reachable by keyboard */}
      <div className={style.text} tabIndex={0} role="region" aria-label={name}>
        <table className={style.cells}>
          <thead>
            <tr>
              {columns.map(({ name: column, type }) => (
                <td key={column}>
                  {column} <span className={ink.quiet}>{type}</span>
                </td>
              ))}
            </tr>
          </thead>
          <tbody>
            {/* oxlint-disable react/no-array-index-key -- rows and cells have nothing but their place */}
            {rows.map((row, number) => (
              <tr key={number}>
                {row.map((cell, at) => (
                  <td key={at}>{columns[at]?.shown === false ? <span className={ink.quiet}>…</span> : cellText(cell)}</td>
                ))}
              </tr>
            ))}
            {/* oxlint-enable react/no-array-index-key */}
          </tbody>
        </table>
      </div>
    </>
  );
}

function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
