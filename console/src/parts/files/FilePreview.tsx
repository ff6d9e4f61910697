/** What is in a file: text, rows of a table, an image, a notebook, sound or film; never anything that runs. */
import { ActionIcon } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useState } from 'react';
import { readStart, shownPath, splitPath } from '@/api/files';
import type { FileStart } from '@/api/files';
import { useT } from '@/app/i18n';
import { Icon } from '@/ui/icons';
import { EmptyState, ErrorState, Skeleton } from '@/ui/page/States';
import { formatBytes } from '@/ui/words/format';
import ink from '@/ui/theme/ink.module.css';
import { HAS_ROWS, RowsShown } from './RowsShown';
import type { FileSource } from './source';
import { MOST_IMAGE, MOST_TEXT, previewOf } from './preview';
import style from './Files.module.css';

const NotebookShown = lazy(() => import('./NotebookShown'));

interface File {
  source: FileSource;
  path: string;
  /** When it was changed, where that is known: another time is another file. */
  modified: string | undefined;
}

const startKey = ({ source, path, modified }: File) => [...source.key, 'start', path, modified] as const;

export function FilePreview({ onClose, ...file }: File & { onClose: () => void }) {
  const t = useT();
  const { source, path } = file;
  const name = shownPath(splitPath(path)[1]);
  const start = useQuery({
    queryKey: startKey(file),
    queryFn: ({ signal }) => readStart(source.url(path), MOST_TEXT, signal),
  });
  return (
    <section className={style.preview} aria-label={t('files.preview', { name })}>
      <div className={style.previewHead}>
        <h2 className={ink.cut} title={name}>
          {name}
        </h2>
        <span className={ink.fine}>{start.data && formatBytes(start.data.size)}</span>
        <ActionIcon component="a" href={source.url(path)} download aria-label={t('files.download', { name })}>
          <Icon name="download" />
        </ActionIcon>
        <ActionIcon aria-label={t('files.closePreview')} title={t('files.closePreview')} onClick={onClose}>
          <Icon name="failed" />
        </ActionIcon>
      </div>
      {start.isPending && <Skeleton rows={6} />}
      {start.isError && <ErrorState error={start.error} retry={() => void start.refetch()} small />}
      {start.data &&
        (source.rows && HAS_ROWS.test(name) && start.data.size > 0 ? (
          <RowsShown read={source.rows} queryKey={startKey(file)} path={path} name={name} />
        ) : (
          <Shown file={file} name={name} start={start.data} />
        ))}
    </section>
  );
}

function Shown({ file, name, start }: { file: File; name: string; start: FileStart }) {
  const t = useT();
  const preview = previewOf(name, start);
  if (start.size === 0) return <EmptyState icon="inbox" title={t('files.emptyFile')} small />;
  if (preview.kind === 'binary')
    return (
      <EmptyState icon="inbox" title={t('files.binary')} small>
        {t('files.binaryText')}
      </EmptyState>
    );
  if (preview.kind === 'tooLarge')
    return (
      <EmptyState icon="inbox" title={t('files.tooLarge')} small>
        {t('files.tooLargeText')}
      </EmptyState>
    );
  if (preview.kind === 'notebook')
    return (
      <Suspense fallback={<Skeleton rows={6} />}>
        <NotebookShown url={file.source.url(file.path)} queryKey={startKey(file)} name={name} />
      </Suspense>
    );
  if (preview.kind === 'sound' || preview.kind === 'film') return <Player file={file} name={name} film={preview.kind === 'film'} />;
  if (preview.kind === 'image') return <Picture file={file} name={name} type={preview.type} />;
  return (
    <>
      {preview.cut && <p className={style.cut}>{t(preview.kind === 'table' ? 'files.firstRows' : 'files.firstPart')}</p>}
      {/* oxlint-disable jsx-a11y/no-noninteractive-tabindex -- a scrolling region must be reachable by keyboard */}
      {preview.kind === 'text' ? (
        <pre className={style.text} tabIndex={0} role="region" aria-label={name}>
          {preview.text}
        </pre>
      ) : (
        <div className={style.text} tabIndex={0} role="region" aria-label={name}>
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
function Picture({ file, name, type }: { file: File; name: string; type: string }) {
  const t = useT();
  const whole = useQuery({
    queryKey: [...startKey(file), 'whole'],
    queryFn: ({ signal }) => readStart(file.source.url(file.path), MOST_IMAGE, signal),
  });
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (!whole.data) return undefined;
    const made = URL.createObjectURL(new Blob([whole.data.bytes], { type }));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [whole.data, type]);
  if (whole.isError) return <ErrorState error={whole.error} retry={() => void whole.refetch()} small />;
  return url ? <img className={style.picture} src={url} alt={t('files.preview', { name })} /> : <Skeleton rows={6} />;
}

/** The browser asks for the parts that it plays. */
function Player({ file, name, film }: { file: File; name: string; film: boolean }) {
  const t = useT();
  const [failed, setFailed] = useState(false);
  if (failed)
    return (
      <EmptyState icon="inbox" title={t('files.notPlayed')} small>
        {t('files.notPlayedText')}
      </EmptyState>
    );
  const props = {
    className: style.picture,
    src: file.source.url(file.path),
    controls: true,
    preload: 'metadata',
    'aria-label': t('files.preview', { name }),
    onError: () => setFailed(true),
  };
  // oxlint-disable-next-line jsx-a11y/media-has-caption -- what people recorded has none
  return film ? <video {...props} /> : <audio {...props} />;
}
