/** A reason in words: what happened, what it means, what to do. */
import type { ReactNode } from 'react';
import type { JobState } from '@/api/jobs';
import type { Reason, Text } from '@/api/types';
import { useSentence } from '@/app/i18n';
import { Icon } from '@/ui/icons';
import type { IconName } from '@/ui/icons';
import { Notice } from '@/ui/page/Panel';
import { Coded } from '@/ui/words/Coded';
import { jobTone } from '@/ui/words/Status';
import style from './JobTop.module.css';

const ICONS: Partial<Record<JobState, IconName>> = { failed: 'failed', queued: 'queued' };

interface Props {
  state: JobState;
  reason: Reason | null;
  /** What happened and what was done about it, where that is known. */
  story?: Text | null | undefined;
  /** Said where the reason is not known. */
  plain: string;
  children?: ReactNode;
}

export function ReasonNotice({ state, reason, story, plain, children }: Props) {
  const say = useSentence();
  const told = story ?? reason?.text;
  const advice = reason && say(reason.advice);
  return (
    <Notice tone={jobTone(state)} icon={ICONS[state] ?? 'info'} title={told ? <Coded text={say(told)} /> : plain}>
      {reason && say(reason.meaning) && (
        <p>
          <Coded text={say(reason.meaning)} />
        </p>
      )}
      {advice && (
        <p className={style.advice}>
          <Icon name="bulb" />
          <span>
            <Coded text={advice} />
          </span>
        </p>
      )}
      {children}
    </Notice>
  );
}
