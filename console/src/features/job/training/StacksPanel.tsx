/** Where the tasks stand: the calls that each thread is in, taken when the job hung or when somebody asked. */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import type { JobDetail } from '@/api/jobs';
import { getStacks, metricKeys, takeStacks } from '@/api/metrics';
import type { TaskStacks } from '@/api/metrics';
import { useT } from '@/app/i18n';
import { useSave } from '@/parts/useSave';
import { Copy } from '@/ui/words/clipboard';
import { Icon } from '@/ui/icons';
import { Notice } from '@/ui/page/Panel';
import { EmptyState, ErrorState, errorText, Skeleton } from '@/ui/page/States';
import { Ago } from '@/ui/words/Time';
import layout from '@/ui/page/layout.module.css';
import ink from '@/ui/theme/ink.module.css';
import style from './Stacks.module.css';

export function StacksPanel({ job }: { job: JobDetail }) {
  const t = useT();
  const stacks = useQuery({ queryKey: metricKeys.stacks(job.id), queryFn: ({ signal }) => getStacks(job.id, signal) });
  const take = useSave({ save: () => takeStacks(job.id), invalidate: [metricKeys.stacks(job.id)] });
  if (stacks.isPending) return <Skeleton rows={6} />;
  if (!stacks.data) return <ErrorState error={stacks.error} retry={() => void stacks.refetch()} />;
  const items = stacks.data;
  const running = job.state === 'running';
  const mayLook = running && job.actions.includes('exec');
  return (
    <div className={style.stacks}>
      <div className={layout.toolbar}>
        <p className={style.about}>{t('stacks.about')}</p>
        {items.length > 0 && <Copy words text={wholeText(items)} label={t('stacks.copyAll')} />}
        {mayLook && (
          <Button variant="default" leftSection={<Icon name="search" size={14} />} loading={take.isPending} onClick={() => take.mutate()}>
            {items.length > 0 ? t('stacks.again') : t('stacks.look')}
          </Button>
        )}
      </div>
      {take.isError && (
        <div className={style.notice}>
          <Notice tone="amber" icon="warning" role="status" title={t('stacks.refused')}>
            {errorText(take.error, t)}
          </Notice>
        </div>
      )}
      {items.length === 0 ? (
        <EmptyState icon="search" title={t('stacks.none')}>
          {mayLook ? t('stacks.noneText') : running ? t('stacks.mayNot') : t('stacks.notRunning')}
        </EmptyState>
      ) : (
        byTask(items).map(([latest, ...earlier]) => <OneTask key={latest!.task} latest={latest!} earlier={earlier} />)
      )}
    </div>
  );
}

/** The latest of each task. */
const wholeText = (items: TaskStacks[]): string =>
  byTask(items)
    .map(([latest]) => `== ${latest!.task}\n${latest!.text.trimEnd()}\n`)
    .join('\n');

/** The tasks in order; of each, as the server gives them, the latest first. */
function byTask(items: TaskStacks[]): TaskStacks[][] {
  const tasks = new Map<string, TaskStacks[]>();
  for (const item of items) tasks.set(item.task, [...(tasks.get(item.task) ?? []), item]);
  return [...tasks].sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true })).map(([, own]) => own);
}

function OneTask({ latest, earlier }: { latest: TaskStacks; earlier: TaskStacks[] }) {
  const t = useT();
  const id = useId();
  const { task, text } = latest;
  return (
    <section className={style.task} aria-labelledby={id}>
      <div className={style.head}>
        <h2 id={id}>{task}</h2>
        <span className={ink.fine}>
          <Taken of={latest} />
        </span>
        <Copy text={text} label={t('stacks.copy', { task })} size={24} />
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must be reachable by keyboard */}
      <pre className={style.text} tabIndex={0} role="region" aria-label={t('stacks.of', { task })}>
        {text}
      </pre>
      {earlier.map((item) => (
        <details key={`${item.attempt}/${item.taken_at}`} className={style.earlier}>
          <summary>
            <Taken of={item} />
          </summary>
          <pre className={style.text}>{item.text}</pre>
        </details>
      ))}
    </section>
  );
}

function Taken({ of: { attempt, cause, taken_at: at } }: { of: TaskStacks }) {
  const t = useT();
  return (
    <>
      {t('log.attemptNumber', { number: attempt })} · {cause === 'hung' ? t('stacks.whenHung') : t('stacks.whenAsked')} · <Ago at={at} />
    </>
  );
}
