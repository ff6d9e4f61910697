/** What a job is, beside its log and charts: folded away by those who want the room. */
import { ActionIcon } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import type { JobDetail } from '@/api/jobs';
import { training, useT } from '@/app/i18n';
import { useWidth } from '@/app/frame/width';
import { useChangePreferences, usePreferences } from '@/app/preferences';
import { Icon } from '@/ui/icons';
import { Facts } from '@/ui/page/Panel';
import { earlierAttempt } from './AttemptChoice';
import { useAttemptFacts, useJobFacts } from './JobFacts';
import ink from '@/ui/theme/ink.module.css';
import style from '../JobPage.module.css';

const CheckpointLine = lazy(async () => ({ default: (await training(() => import('../training/CheckpointLine'))).CheckpointLine }));

export const RAIL_ID = 'job-rail';
/** What `preferences.dismissed` holds while the rail is folded. */
const FOLDED = 'job.facts';

/** Remembered for the person; where the window is narrow it opens for this visit only. */
export function useRail(): { open: boolean; toggle: () => void } {
  const wide = useWidth() === 'desktop';
  const preferences = usePreferences();
  const change = useChangePreferences();
  const [opened, setOpened] = useState(false);
  const open = wide ? !preferences?.dismissed.includes(FOLDED) : opened;
  const toggle = () => {
    if (!wide) setOpened(!opened);
    else
      change(({ dismissed }) => {
        const others = dismissed.filter((mark) => mark !== FOLDED);
        return { dismissed: open ? [...others, FOLDED] : others };
      });
  };
  return { open, toggle };
}

export function RailToggle({ open, toggle }: ReturnType<typeof useRail>) {
  const t = useT();
  const label = open ? t('job.hideFacts') : t('job.showFacts');
  return (
    <ActionIcon
      variant={open ? 'light' : 'subtle'}
      color={open ? 'accent' : 'gray'}
      aria-label={label}
      title={label}
      aria-expanded={open}
      aria-controls={open ? RAIL_ID : undefined}
      onClick={toggle}
    >
      <Icon name="rail" />
    </ActionIcon>
  );
}

export function JobRail({ job, attempt }: { job: JobDetail; attempt: number | undefined }) {
  const t = useT();
  const facts = useJobFacts(job);
  const earlier = earlierAttempt(job, attempt);
  return (
    <aside id={RAIL_ID} className={style.rail} aria-label={t('job.facts')}>
      {earlier && <AttemptFacts job={job} number={earlier.number} />}
      {job.description && <p className={style.description}>{job.description}</p>}
      <Facts items={facts} beside />
      {job.saved && (
        <Suspense fallback={<p className={style.lineToCome} />}>
          <CheckpointLine saved={job.saved} />
        </Suspense>
      )}
    </aside>
  );
}

/** What is to be said of an earlier try comes first. */
function AttemptFacts({ job, number }: { job: JobDetail; number: number }) {
  const t = useT();
  const facts = useAttemptFacts(job.attempts.find((one) => one.number === number)!);
  return (
    <section className={style.earlier}>
      <h2 className={ink.heading}>{t('log.attemptNumber', { number })}</h2>
      <Facts items={facts} beside />
    </section>
  );
}
