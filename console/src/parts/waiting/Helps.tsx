/** What would start a waiting job now; the button changes this job where that is allowed, else it leads to a copy. */
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { changeJob, jobKeys, titleOf } from '@/api/jobs';
import type { JobChanges, JobDetail } from '@/api/jobs';
import { queueKeys } from '@/api/queue';
import type { Help } from '@/api/queue';
import type { MessageKey } from '@/app/i18n';
import { useSentence, useT } from '@/app/i18n';
import { changesFor } from '@/parts/jobs/changes';
import { useSave } from '@/parts/useSave';
import { Icon } from '@/ui/icons';
import ink from '@/ui/theme/ink.module.css';
import style from './Waiting.module.css';

const Confirm = lazy(() => import('@/ui/dialog/Confirm'));
const VERBS: Record<string, MessageKey> = {
  max_time: 'helps.maxTime',
  gpus: 'helps.gpus',
  tasks: 'helps.tasks',
  gpu: 'helps.gpu',
  project: 'helps.project',
  node_selector: 'helps.nodeSelector',
  topology: 'helps.topology',
};

/** What the server is told for a change that would help. */
export function changesOf({ change, value }: Pick<Help, 'change' | 'value'>): JobChanges {
  switch (change) {
    case 'gpus':
    case 'tasks':
      return { [change]: Number(value) };
    case 'gpu':
    case 'project':
    case 'max_time':
      return { [change]: value };
    default:
      return { without: [change as 'node_selector' | 'topology'] };
  }
}

export function Helps({ job, helps, advice }: { job: JobDetail; helps: Help[]; advice: string }) {
  const t = useT();
  const say = useSentence();
  const [asking, setAsking] = useState<Help>();
  const { mutate, isPending } = useSave({
    save: (help: Help) => changeJob(job.id, changesOf(help)),
    said: t('helps.done', { name: titleOf(job) }),
    failed: t('helps.refused', { name: titleOf(job) }),
    invalidate: [jobKeys.one(job.id), queueKeys.all],
    always: true,
    close: () => setAsking(undefined),
  });
  if (helps.length === 0)
    return (
      <p className={style.advice}>
        <Icon name="bulb" /> {advice}
      </p>
    );
  const mayEdit = job.actions.includes('edit');
  return (
    <div className={style.helps}>
      <p className={ink.quiet}>{t('helps.title')}</p>
      <div className={style.buttons}>
        {helps.map((help, at) => {
          const label = t(VERBS[help.change] ?? 'helps.gpus', { value: help.value });
          const look = { variant: at === 0 ? 'filled' : 'default', title: say(help.text) } as const;
          if (mayEdit)
            return (
              <Button
                key={label}
                {...look}
                disabled={isPending}
                onClick={() => (help.change === 'max_time' ? setAsking(help) : mutate(help))}
              >
                {label}
              </Button>
            );
          const set = changesFor(help, job.spec);
          return (
            job.actions.includes('clone') && (
              <Button
                key={label}
                {...look}
                renderRoot={(props) => <Link to="/jobs/new" search={{ from: job.id, ...(set.length > 0 && { set }) }} {...props} />}
              >
                {t('helps.clone', { change: label })}
              </Button>
            )
          );
        })}
      </div>
      {mayEdit && <p className={style.small}>{t('helps.note')}</p>}
      {asking && (
        <Suspense fallback={null}>
          <Confirm
            title={t('helps.maxTime', { value: asking.value })}
            text={t('helps.maxTimeText', { name: titleOf(job), value: asking.value })}
            action={t('helps.maxTime', { value: asking.value })}
            busy={isPending}
            onConfirm={() => mutate(asking)}
            onClose={() => setAsking(undefined)}
          />
        </Suspense>
      )}
    </div>
  );
}
