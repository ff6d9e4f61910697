/** The first steps as a list with what to do for the chosen one beside it. */
import '@/ui/theme/kit-tabs.css';
import { ActionIcon, Tabs } from '@mantine/core';
import type { ReactNode } from 'react';
import { useEffect, useState } from 'react';
import type { JobRow } from '@/api/jobs';
import type { MessageKey } from '@/app/i18n';
import { useT } from '@/app/i18n';
import { useMe } from '@/app/session';
import { Icon } from '@/ui/icons';
import { StepDetail } from './StepDetail';
import { CLUSTER_STEPS, stepsFor } from './steps';
import type { Step, StepId } from './steps';
import { useKnown } from './useKnown';
import ink from '@/ui/theme/ink.module.css';
import style from './FirstSteps.module.css';

const TITLES: Record<StepId, MessageKey> = {
  nodes: 'steps.nodes',
  people: 'steps.people',
  project: 'steps.project',
  sizes: 'steps.sizes',
  limits: 'steps.limits',
  password: 'steps.password',
  job: 'steps.job',
  log: 'steps.log',
  cli: 'steps.cli',
  token: 'steps.token',
  guide: 'steps.guide',
};

interface Props {
  /** Shown while it is not known what is done. */
  space: ReactNode;
  /** Somebody asked for them: they are shown even if all is done. */
  recalled: boolean;
  onDismiss: () => void;
}

export default function FirstSteps({ space, recalled, onDismiss }: Props) {
  const { known, settled, latest } = useKnown();
  const steps = stepsFor(useMe().role, known);
  const open = settled && steps.some((step) => !step.done);
  const [wasOpen, setWasOpen] = useState(recalled);
  if (open && !wasOpen) setWasOpen(true);
  // Who has nothing left to do is not bothered again; who did the last step just now sees all of them ticked.
  const idle = settled && !open && !wasOpen && !recalled;
  useEffect(() => {
    if (idle) onDismiss();
  }, [idle, onDismiss]);
  if (!settled) return space;
  return idle ? null : <Steps steps={steps} latest={latest} onDismiss={onDismiss} />;
}

function Steps({ steps, latest, onDismiss }: { steps: Step[]; latest: JobRow | undefined; onDismiss: () => void }) {
  const t = useT();
  const [chosen, setChosen] = useState<string | null>(null);
  const taken = steps.filter((step) => step.done).length;
  const open = chosen ?? (steps.find((step) => !step.done) ?? steps[0]!).id;
  const governs = steps.some((step) => isCluster(step.id));
  const tabs = (some: Step[]) =>
    some.map(({ id, done }) => (
      <Tabs.Tab
        key={id}
        value={id}
        className={style.step}
        leftSection={
          <span className={style.tick} data-done={done || undefined}>
            {done && <Icon name="done" size={12} />}
          </span>
        }
      >
        {t(TITLES[id])}
        {done && <span className="visually-hidden"> ({t('steps.done')})</span>}
      </Tabs.Tab>
    ));
  return (
    <section className={style.panel} aria-labelledby="first-steps">
      <div className={style.head}>
        <h2 id="first-steps" className={ink.heading}>
          {t('steps.title')}
        </h2>
        <span
          className={style.progress}
          role="progressbar"
          aria-labelledby="first-steps"
          aria-valuenow={taken}
          aria-valuemin={0}
          aria-valuemax={steps.length}
        >
          <i style={{ width: `${(taken / steps.length) * 100}%` }} />
        </span>
        <span className={style.count}>
          {taken === steps.length ? t('steps.allDone') : t('steps.count', { done: taken, total: steps.length })}
        </span>
        <ActionIcon aria-label={t('steps.dismiss')} title={t('steps.dismiss')} onClick={onDismiss}>
          <Icon name="close" />
        </ActionIcon>
      </div>
      <Tabs orientation="vertical" variant="unstyled" value={open} onChange={setChosen} className={style.body}>
        <Tabs.List className={style.list} aria-labelledby="first-steps">
          {governs && <StepGroup title={t('steps.cluster')}>{tabs(steps.filter((step) => isCluster(step.id)))}</StepGroup>}
          <StepGroup title={governs ? t('steps.own') : undefined}>{tabs(steps.filter((step) => !isCluster(step.id)))}</StepGroup>
        </Tabs.List>
        {steps.map(({ id, done }) => (
          <Tabs.Panel key={id} value={id} className={style.detail}>
            {id === open && <StepDetail id={id} done={done} latest={latest} />}
          </Tabs.Panel>
        ))}
      </Tabs>
    </section>
  );
}

function StepGroup({ title, children }: { title: string | undefined; children: ReactNode }) {
  return (
    <div className={style.group} role="presentation">
      {title && (
        <span className={style.groupTitle} role="presentation">
          {title}
        </span>
      )}
      {children}
    </div>
  );
}

function isCluster(id: StepId): boolean {
  return (CLUSTER_STEPS as readonly string[]).includes(id);
}
