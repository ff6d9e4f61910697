/** How busy the whole cluster is beside its GPUs, and how its nodes are. */
import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { NodeState } from '@/api/nodes';
import type { Resources } from '@/api/resources';
import { useT } from '@/app/i18n';
import { formatBytes, formatCount } from '@/ui/words/format';
import { NodeStatus } from '@/ui/words/Status';
import { sumOf } from './amounts';
import { Section } from './Section';
import ink from '@/ui/theme/ink.module.css';
import style from './Overview.module.css';

const STATES: NodeState[] = ['ready', 'occupied', 'cordoned', 'unreachable', 'off'];

export function ClusterLoad({ resources }: { resources: UseQueryResult<Resources> }) {
  const t = useT();
  return (
    <Section title={t('overview.load')} aside={<Link to="/nodes">{t('overview.toNodes')}</Link>} query={resources} rows={4}>
      {({ cpus, memory, jobs, nodes }) => (
        <div className={style.load}>
          <Meter label={t('overview.cpus')} {...sumOf([cpus])} words={formatCount} />
          <Meter label={t('overview.memory')} {...sumOf([memory])} words={formatBytes} />
          <p className={ink.fine}>{t('overview.jobs', { running: jobs.running, queued: jobs.queued })}</p>
          <ul className={style.states} aria-label={t('overview.nodeStates')}>
            {STATES.filter((state) => (nodes[state] ?? 0) > 0).map((state) => (
              <li key={state}>
                <Link to="/nodes" search={{ state: [state] }} className={style.stateLink}>
                  <NodeStatus state={state} /> <strong>{nodes[state]}</strong>
                </Link>
              </li>
            ))}
          </ul>
        </div>
      )}
    </Section>
  );
}

function Meter({ label, used, total, words }: { label: string; used: number; total: number; words: (value: number) => string }) {
  const t = useT();
  const percent = total > 0 ? Math.min(100, Math.round((used / total) * 100)) : 0;
  const text = t('overview.usedOf', { used: words(used), total: words(total) });
  return (
    <div>
      <div className={style.meterHead}>
        <span>{label}</span>
        <span className={ink.fine}>{text}</span>
        <strong>{percent === 0 && used > 0 ? '<1' : percent} %</strong>
      </div>
      <div
        className={style.meter}
        role="meter"
        aria-label={label}
        aria-valuenow={percent}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuetext={text}
      >
        <span style={{ width: `${percent}%` }} />
      </div>
    </div>
  );
}
