/** The files of a job, while it runs and as long as they are kept: browse, look into, download, keep. */
import '@/ui/theme/kit-forms.css';
import { Button, NativeSelect } from '@mantine/core';
import { useMemo, useState } from 'react';
import { contentUrl, fileKeys, listFiles } from '@/api/files';
import type { FileFolder, FileList, FilePlace } from '@/api/files';
import { titleOf } from '@/api/jobs';
import type { JobDetail } from '@/api/jobs';
import { useT } from '@/app/i18n';
import { FileBrowser } from '@/parts/files/FileBrowser';
import type { FileSource } from '@/parts/files/source';
import { useFiles } from '@/parts/files/useFiles';
import { Way } from '@/parts/files/Way';
import { Icon } from '@/ui/icons';
import layout from '@/ui/page/layout.module.css';
import type { PartProps } from '../parts';
import { KeptUntil } from './KeptUntil';
import { NoFiles } from './NoFiles';

const WHILE_LIVE_MS = 5_000;

type Where = Omit<FilePlace, 'path'>;

/** `search` chooses the attempt, and the task to begin with. */
export function FilesPanel({ job, search }: PartProps) {
  const t = useT();
  const [where, setWhere] = useState<Omit<FilePlace, 'job' | 'attempt'>>({ folder: 'work', task: search.task, path: '' });
  const [open, setOpen] = useState<string>();
  const { folder, task, path } = where;
  const source = useMemo(
    () => sourceOf({ job: job.id, attempt: search.attempt, folder, task }, job.name),
    [job.id, job.name, search.attempt, folder, task],
  );
  const files = useFiles(source, path, ({ live }) => live && WHILE_LIVE_MS);
  const go = (part: Partial<FilePlace>) => {
    setOpen(undefined);
    setWhere((old) => ({ ...old, path: '', ...part }));
  };
  const { first, entries } = files;
  return (
    <div className={layout.fills}>
      <div className={layout.toolbar}>
        <Choices job={job} place={where} onChange={go} />
        <Way path={path} name={titleOf(job)} onGo={(to) => go({ path: to })} />
        <span className={layout.spring} />
        {first?.retention && <KeptUntil job={job} retention={first.retention} />}
        {first?.state === 'ready' && entries.length > 0 && (
          <Button variant="default" leftSection={<Icon name="download" size={14} />} component="a" href={source.url(path)} download>
            {t('files.downloadFolder')}
          </Button>
        )}
      </div>
      <FileBrowser
        source={source}
        files={files}
        path={path}
        onPath={(to) => go({ path: to })}
        open={open}
        onOpen={setOpen}
        none={(list) => <NoFiles list={list} path={path} />}
      />
    </div>
  );
}

function sourceOf(where: Where, name: string): FileSource<FileList> {
  return {
    key: [...fileKeys.all(where.job), where],
    name,
    list: (path, order, cursor, signal) => listFiles({ ...where, path }, order, cursor, signal),
    url: (path) => contentUrl({ ...where, path }),
  };
}

function Choices({ job, place, onChange }: { job: JobDetail; place: Omit<Where, 'job'>; onChange: (part: Partial<FilePlace>) => void }) {
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
