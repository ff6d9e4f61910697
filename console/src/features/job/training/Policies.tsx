/** What a job's file says in words: how its tasks work together, and what is done about trouble. */
import type { ReactNode } from 'react';
import type { JobDetail } from '@/api/jobs';
import { useT } from '@/app/i18n';
import type { Translate } from '@/app/i18n';
import { frameworkName } from '@/parts/jobs/frameworks';
import { policiesOf, processesOf, restartsOf, REMEDY_WORDS, TROUBLE_WORDS } from './policies';
import type { Policy } from './policies';
import ink from '@/ui/theme/ink.module.css';
import style from './Policies.module.css';

export function Policies({ job }: { job: JobDetail }) {
  const t = useT();
  if (job.kind !== 'training') return null;
  const { spec, framework, strategy } = job;
  return (
    <dl className={style.policies}>
      {framework !== 'none' && <Said name={t('spec.framework')}>{[frameworkName(framework), strategy].filter(Boolean).join(' · ')}</Said>}
      {processesOf(spec).map(({ role, count }) => (
        <Said key={role ?? ''} name={t('spec.processes')}>
          {role === undefined ? t('spec.perTask', { count }) : t('spec.perTaskOf', { count, role })}
        </Said>
      ))}
      {typeof spec.hang_after === 'string' && <Said name={t('spec.hangAfter')}>{t('spec.hangAfterText', { time: spec.hang_after })}</Said>}
      <Said name={t('spec.restarts')}>{restarts(spec, t)}</Said>
      <Said name={t('spec.onTrouble')} wide>
        <ul>
          {policiesOf(spec).map((policy) => (
            <li key={`${policy.role ?? ''} ${policy.trouble}`}>
              <Sentence policy={policy} />
            </li>
          ))}
        </ul>
      </Said>
    </dl>
  );
}

function Said({ name, wide, children }: { name: string; wide?: boolean; children: ReactNode }) {
  return (
    <div data-wide={wide || undefined}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Sentence({ policy: { role, trouble, remedy } }: { policy: Policy }) {
  const t = useT();
  return (
    <>
      {role !== undefined && <span className="mono">{role}: </span>}
      {t(TROUBLE_WORDS[trouble])}{' '}
      <span className={ink.quiet} aria-label={t('spec.leadsTo')} role="img">
        →
      </span>{' '}
      {t(REMEDY_WORDS[remedy])}
    </>
  );
}

/** How often it may be started again, and how long it waits before. */
function restarts(spec: JobDetail['spec'], t: Translate): string {
  const most = restartsOf(spec);
  if (most === 0) return t('spec.notRestarted');
  const count = t('spec.atMost', { count: most });
  const { first, most: longest } = (spec.backoff ?? {}) as { first?: string; most?: string };
  if (first === undefined && longest === undefined) return count;
  return `${count}, ${t('spec.waits', { first: first ?? '2s', most: longest ?? '10m' })}`;
}
