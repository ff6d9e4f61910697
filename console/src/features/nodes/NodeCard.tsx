/** One machine as a card. */
import { Link } from '@tanstack/react-router';
import type { Node } from '@/api/types';
import { useT } from '@/app/i18n';
import { formatBytes, formatCount } from '@/ui/format';
import { NodeStatus } from '@/ui/Status';
import { Duration } from '@/ui/Time';
import { holders, share } from './capacity';
import style from './Nodes.module.css';

const SHOWN_TASKS = 4;

export function NodeCard({ node }: { node: Node }) {
  const t = useT();
  const reachable = node.state !== 'off' && node.state !== 'unreachable';
  return (
    <li className={style.card} data-dim={!reachable || undefined}>
      <div className={style.cardHead}>
        <h2 className={style.nodeName} title={node.name}>{node.name}</h2>
        {node.virtual && <span className={style.virtual} title={t('nodes.virtualText')}>{t('nodes.virtual')}</span>}
        <span className={style.push}><NodeStatus state={node.state} /></span>
      </div>
      <div className={style.meta}>
        {[node.address, node.pool && t('nodes.pool', { pool: node.pool })].filter(Boolean).join(' · ')}
      </div>
      {node.gpus.length > 0 && <GpuRow node={node} />}
      <Meter label={t('nodes.cpu')} used={node.used.cpus} total={node.cpus} text={`${formatCount(node.used.cpus)} / ${formatCount(node.cpus)}`} />
      <Meter label={t('nodes.memory')} used={node.used.memory} total={node.memory} text={`${formatBytes(node.used.memory)} / ${formatBytes(node.memory)}`} />
      <TaskList node={node} />
    </li>
  );
}

function GpuRow({ node }: { node: Node }) {
  const t = useT();
  const held = holders(node);
  return (
    <div>
      <div className={style.meterHead}>
        <span>{node.gpu_model ?? t('size.gpu')}</span>
        <span>{t('nodes.gpusUsed', { used: formatCount(node.used.gpus), total: node.gpus.length })}</span>
      </div>
      <ul className={style.gpus} aria-label={t('nodes.gpusOf', { node: node.name })}>
        {node.gpus.map((gpu) => {
          const task = held.get(gpu.index);
          const words = task ? t('nodes.gpuHeld', { index: gpu.index, job: task.job_name ?? t('nodes.otherJob'), owner: task.owner }) : t('nodes.gpuFree', { index: gpu.index });
          return (
            <li key={gpu.index} className={style.gpu} data-held={task ? true : undefined} title={words}>
              <span aria-hidden="true">{gpu.index}</span>
              <span className="visually-hidden">{words}</span>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

function Meter({ label, used, total, text }: { label: string; used: number; total: number; text: string }) {
  const part = share(used, total);
  return (
    <div>
      <div className={style.meterHead}>
        <span>{label}</span>
        <span>{text}</span>
      </div>
      <div className={style.meter} role="meter" aria-label={label} aria-valuenow={Math.round(part * 100)} aria-valuemin={0} aria-valuemax={100} aria-valuetext={text}>
        <span style={{ width: `${part * 100}%` }} />
      </div>
    </div>
  );
}

function TaskList({ node }: { node: Node }) {
  const t = useT();
  if (node.tasks.length === 0) return <p className={style.idle}>{t('nodes.idle')}</p>;
  const hidden = node.tasks.length - SHOWN_TASKS;
  return (
    <ul className={style.tasks}>
      {node.tasks.slice(0, SHOWN_TASKS).map((task, place) => (
        <li key={task.job_id ? `${task.job_id}/${task.task}` : place} className={style.task}>
          {task.job_id ? (
            <Link to="/jobs/$job" params={{ job: task.job_id }} search={{ tab: 'logs', task: task.task }} className={style.taskName} title={`${task.job_name} · ${task.task}`}>
              {task.job_name}
            </Link>
          ) : (
            <span className={style.taskName}>{t('nodes.otherJob')}</span>
          )}
          <span className={style.taskOwner}>{task.owner}</span>
          <span className={style.taskTime}>{task.started_at && <Duration from={task.started_at} />}</span>
        </li>
      ))}
      {hidden > 0 && <li className={style.idle}>{t('nodes.more', { count: hidden })}</li>}
    </ul>
  );
}
