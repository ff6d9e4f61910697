/** What a file begins with: text, rows of a table, an image; never anything that runs. */
import { ActionIcon } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { contentUrl, fileKeys, readStart } from '@/api/files';
import type { FileEntry, FilePlace } from '@/api/files';
import { useT } from '@/app/i18n';
import { Icon } from '@/ui/icons';
import { EmptyState, ErrorState, Skeleton } from '@/ui/page/States';
import { formatBytes } from '@/ui/words/format';
import ink from '@/ui/theme/ink.module.css';
import { MOST_IMAGE, MOST_TEXT, previewOf } from './preview';
import style from './Files.module.css';

interface Props {
  place: FilePlace;
  entry: FileEntry;
  onClose: () => void;
}

export function FilePreview({ place, entry, onClose }: Props) {
  const t = useT();
  const start = useQuery({
    queryKey: fileKeys.start(place, entry.modified),
    queryFn: ({ signal }) => readStart(place, MOST_TEXT, signal),
  });
  return (
    <section className={style.preview} aria-label={t('files.preview', { name: entry.name })}>
      <div className={style.previewHead}>
        <h2 className={ink.cut} title={entry.name}>
          {entry.name}
        </h2>
        <span className={ink.fine}>{formatBytes(entry.size)}</span>
        <ActionIcon component="a" href={contentUrl(place)} download aria-label={t('files.download', { name: entry.name })}>
          <Icon name="download" />
        </ActionIcon>
        <ActionIcon aria-label={t('files.closePreview')} title={t('files.closePreview')} onClick={onClose}>
          <Icon name="failed" />
        </ActionIcon>
      </div>
      {start.isPending && <Skeleton rows={6} />}
      {start.isError && <ErrorState error={start.error} retry={() => void start.refetch()} small />}
      {start.data && <Shown place={place} entry={entry} start={start.data} />}
    </section>
  );
}

function Shown({ place, entry, start }: { place: FilePlace; entry: FileEntry; start: Uint8Array }) {
  const t = useT();
  const preview = previewOf(entry.name, entry.size, start);
  if (entry.size === 0) return <EmptyState icon="inbox" title={t('files.emptyFile')} small />;
  if (preview.kind === 'binary')
    return (
      <EmptyState icon="inbox" title={t('files.binary')} small>
        {t('files.binaryText')}
      </EmptyState>
    );
  if (preview.kind === 'image') return <Picture place={place} entry={entry} type={preview.type} />;
  return (
    <>
      {preview.cut && <p className={style.cut}>{t(preview.kind === 'table' ? 'files.firstRows' : 'files.firstPart')}</p>}
      {/* oxlint-disable jsx-a11y/no-noninteractive-tabindex -- a scrolling region must be reachable by keyboard */}
      {preview.kind === 'text' ? (
        <pre className={style.text} tabIndex={0} role="region" aria-label={entry.name}>
          {preview.text}
        </pre>
      ) : (
        <div className={style.text} tabIndex={0} role="region" aria-label={entry.name}>
          <table className={style.cells}>
            <tbody>
              {/* oxlint-disable react/no-array-index-key -- rows and cells have nothing but their place */}
              {preview.rows.map((row, number) => (
                <tr key={number}>
                  {row.map((cell, at) => (
                    <td key={at}>{cell}</td>
                  ))}
                </tr>
              ))}
              {/* oxlint-enable react/no-array-index-key */}
            </tbody>
          </table>
        </div>
      )}
      {/* oxlint-enable jsx-a11y/no-noninteractive-tabindex */}
    </>
  );
}

/** Shown from memory, with the type that its first bytes have: what the file says it is counts for nothing. */
function Picture({ place, entry, type }: { place: FilePlace; entry: FileEntry; type: string }) {
  const t = useT();
  const whole = useQuery({
    queryKey: [...fileKeys.start(place, entry.modified), 'whole'],
    queryFn: ({ signal }) => readStart(place, MOST_IMAGE, signal),
  });
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (!whole.data) return undefined;
    const made = URL.createObjectURL(new Blob([whole.data], { type }));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [whole.data, type]);
  if (whole.isError) return <ErrorState error={whole.error} retry={() => void whole.refetch()} small />;
  return url ? <img className={style.picture} src={url} alt={t('files.preview', { name: entry.name })} /> : <Skeleton rows={6} />;
}
