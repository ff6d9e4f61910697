/** The files of a job, while it runs and as long as they are kept: browse, look into, download, keep. */
import '@/ui/theme/kit-forms.css';
import { Button, NativeSelect } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { contentUrl, fileKeys, listFiles, pathInto, shownPath } from '@/api/files';
import type { FileEntry, FileFolder, FileList, FileOrder, FilePlace } from '@/api/files';
import { titleOf } from '@/api/jobs';
import type { JobDetail } from '@/api/jobs';
import { useT } from '@/app/i18n';
import { Icon } from '@/ui/icons';
import { ErrorState, Skeleton } from '@/ui/page/States';
import layout from '@/ui/page/layout.module.css';
import type { PartProps } from '../parts';
import { FilePreview } from './FilePreview';
import { FileTable } from './FileTable';
import { KeptUntil } from './KeptUntil';
import { NoFiles } from './NoFiles';
import style from './Files.module.css';

const WHILE_LIVE_MS = 5_000;

/** `search` chooses the attempt, and the task to begin with. */
export function FilesPanel({ job, search }: PartProps) {
  const t = useT();
  const [where, setWhere] = useState<Omit<FilePlace, 'job' | 'attempt'>>({ folder: 'work', task: search.task, path: '' });
  const [order, setOrder] = useState<FileOrder>({ sort: 'name', descending: false });
  const [open, setOpen] = useState<FileEntry>();
  const place: FilePlace = { job: job.id, attempt: search.attempt, ...where };
  const pages = useInfiniteQuery({
    queryKey: fileKeys.list(place, order),
    queryFn: ({ pageParam, signal }) => listFiles(place, order, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last: FileList) => last.next_cursor ?? undefined,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.pages[0]?.live && state.data.pages.length === 1 ? WHILE_LIVE_MS : false),
  });
  const go = (part: Partial<FilePlace>) => {
    setOpen(undefined);
    setWhere((old) => ({ ...old, path: '', ...part }));
  };
  const first = pages.data?.pages[0];
  const entries = pages.data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <div className={style.files}>
      <div className={layout.toolbar}>
        <Choices job={job} place={place} onChange={go} />
        <Way place={place} name={titleOf(job)} onGo={(path) => go({ path })} />
        <span className={style.rest} />
        {first?.retention && <KeptUntil job={job} retention={first.retention} />}
        {first?.state === 'ready' && entries.length > 0 && (
          <Button variant="default" leftSection={<Icon name="download" size={14} />} component="a" href={contentUrl(place)} download>
            {t('files.downloadFolder')}
          </Button>
        )}
      </div>
      {pages.isPending && <Skeleton />}
      {pages.isError && !first && <ErrorState error={pages.error} retry={() => void pages.refetch()} />}
      {first && entries.length === 0 && <NoFiles list={first} path={where.path} />}
      {first && entries.length > 0 && (
        <div className={style.halves}>
          <div className={style.list} data-dimmed={pages.isPlaceholderData || undefined}>
            <FileTable
              place={place}
              inside={first.inside}
              entries={entries}
              order={order}
              open={open?.key}
              onOrder={setOrder}
              onFolder={(key) => go({ path: pathInto(where.path, key) })}
              onFile={setOpen}
            />
            {!first.whole && <p className={style.note}>{t('files.tooMany')}</p>}
            {pages.hasNextPage && (
              <div className={style.note}>
                <Button variant="default" loading={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
                  {t('files.more', { shown: entries.length, total: first.total })}
                </Button>
              </div>
            )}
          </div>
          {open && (
            <FilePreview
              key={open.key}
              place={{ ...place, path: pathInto(where.path, open.key) }}
              entry={open}
              onClose={() => setOpen(undefined)}
            />
          )}
        </div>
      )}
    </div>
  );
}

function Choices({ job, place, onChange }: { job: JobDetail; place: FilePlace; onChange: (part: Partial<FilePlace>) => void }) {
  const t = useT();
  const tasks = job.tasks.map(({ name }) => name);
  return (
    <>
      <NativeSelect
        aria-label={t('files.folder')}
        data={[
          { value: 'work', label: t('files.work') },
          { value: 'checkpoints', label: t('files.checkpoints') },
        ]}
        value={place.folder}
        onChange={(event) => onChange({ folder: event.currentTarget.value as FileFolder })}
      />
      {place.folder === 'work' && tasks.length > 1 && (
        <NativeSelect
          aria-label={t('files.task')}
          data={tasks}
          value={place.task ?? tasks[0] ?? ''}
          onChange={(event) => onChange({ task: event.currentTarget.value })}
        />
      )}
    </>
  );
}

/** The folders above, each to go back to. */
function Way({ place: { path }, name, onGo }: { place: FilePlace; name: string; onGo: (path: string) => void }) {
  const t = useT();
  if (path === '') return null;
  const parts = path.split('/');
  return (
    <nav aria-label={t('files.way')} className={style.way}>
      <button type="button" onClick={() => onGo('')}>
        {name}
      </button>
      {parts.map((part, at) => (
        <span key={parts.slice(0, at + 1).join('/')}>
          <span aria-hidden> / </span>
          {at === parts.length - 1 ? (
            <b aria-current="page">{shownPath(part)}</b>
          ) : (
            <button type="button" onClick={() => onGo(parts.slice(0, at + 1).join('/'))}>
              {shownPath(part)}
            </button>
          )}
        </span>
      ))}
    </nav>
  );
}
