/** What is in a folder, and beside it what the open file begins with. */
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { pathInto } from '@/api/files';
import type { FilePage } from '@/api/files';
import { useT } from '@/app/i18n';
import { ErrorState, Skeleton } from '@/ui/page/States';
import { FilePreview } from './FilePreview';
import { FileTable } from './FileTable';
import type { FileChoice, RowActs } from './FileTable';
import type { FileSource } from './source';
import type { Files } from './useFiles';
import style from './Files.module.css';

interface Props<Page extends FilePage> {
  source: FileSource<Page>;
  files: Files<Page>;
  path: string;
  onPath: (path: string) => void;
  /** The file that is looked into, by its name as the server spells it. */
  open: string | undefined;
  onOpen: (key: string | undefined) => void;
  /** What stands there where nothing is. */
  none: (first: Page) => ReactNode;
  choice?: FileChoice | undefined;
  acts?: RowActs | undefined;
}

export function FileBrowser<Page extends FilePage>({ source, files, path, onPath, open, onOpen, none, choice, acts }: Props<Page>) {
  const t = useT();
  const { first, entries } = files;
  if (files.isPending) return <Skeleton />;
  if (!first) return <ErrorState error={files.error} retry={() => void files.refetch()} />;
  return (
    <div className={style.halves}>
      <div className={style.list} data-dimmed={files.isPlaceholderData || undefined}>
        {entries.length === 0 ? (
          none(first)
        ) : (
          <FileTable
            source={source}
            path={path}
            inside={first.inside ?? null}
            entries={entries}
            order={files.order}
            open={open}
            choice={choice}
            acts={acts}
            onOrder={files.setOrder}
            onFolder={(key) => onPath(pathInto(path, key))}
            onFile={({ key }) => onOpen(key)}
          />
        )}
        {!first.whole && <p className={style.note}>{t('files.tooMany')}</p>}
        {files.hasNextPage && (
          <div className={style.note}>
            <Button variant="default" loading={files.isFetchingNextPage} onClick={() => void files.fetchNextPage()}>
              {t('files.more', { shown: entries.length, total: first.total })}
            </Button>
          </div>
        )}
      </div>
      {open !== undefined && (
        <FilePreview
          key={open}
          source={source}
          path={pathInto(path, open)}
          modified={entries.find(({ key }) => key === open)?.modified}
          onClose={() => onOpen(undefined)}
        />
      )}
    </div>
  );
}
