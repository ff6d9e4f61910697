/** What hovering or focusing a tile tells: who runs what on the node, and for how long. */
import { Link } from '@tanstack/react-router';
import type { HTMLAttributes } from 'react';
import { useLayoutEffect, useRef, useState } from 'react';
import type { Node, NodeTask } from '@/api/nodes';
import { useT } from '@/app/i18n';
import { NodeStatus } from '@/ui/words/Status';
import { Duration, Exact } from '@/ui/words/Time';
import { cardsOf } from '../capacity';
import { gpuWords, jobWords, STATE_MEANINGS, usedWords } from '../words';
import ink from '@/ui/theme/ink.module.css';
import style from './NodeHoverCard.module.css';

const SHOWN = 8;
const GAP = 6;

interface Props extends HTMLAttributes<HTMLDivElement> {
  node: Node;
  gpu: number | null;
  at: DOMRect;
}

export function NodeHoverCard({ node, gpu, at, ...handlers }: Props) {
  const t = useT();
  const card = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState({ left: at.left, top: at.bottom + GAP });
  // Below the tile; above it or further left where the window ends.
  useLayoutEffect(() => {
    const { offsetWidth: width, offsetHeight: height } = card.current!;
    const below = at.bottom + GAP + height <= innerHeight;
    setPlace({
      left: Math.max(GAP, Math.min(at.left, innerWidth - width - GAP)),
      top: below ? at.bottom + GAP : Math.max(GAP, at.top - GAP - height),
    });
  }, [at, node]);

  const pointed = gpu === null ? undefined : cardsOf(node).find((one) => one.index === gpu);
  const closing = node.drain_by ?? node.closes_at;
  const tasks = node.tasks.toSorted((a, b) => Number(b.gpus.includes(gpu ?? -1)) - Number(a.gpus.includes(gpu ?? -1)));
  return (
    <div ref={card} className={style.card} style={place} role="group" aria-label={node.name} {...handlers}>
      <div className={style.cardHead}>
        <strong>{node.name}</strong>
        <NodeStatus state={node.state} />
      </div>
      <p className={ink.fine}>
        {usedWords(node, t)} · {t('nodes.inPool', { pool: node.pool })}
      </p>
      {node.state !== 'ready' && <p className={ink.fine}>{node.why || t(STATE_MEANINGS[node.state])}</p>}
      {node.note && <p className={ink.fine}>{t('nodes.noteSays', { note: node.note })}</p>}
      {closing && (
        <p className={ink.fine}>
          {t(node.drain_by ? 'nodes.emptyBy' : 'nodes.closesAt')} <Exact at={closing} />
        </p>
      )}
      {pointed && pointed.holders.length === 0 && (
        <p>{pointed.others ? t('nodes.othersHold') : t('nodes.gpuFree', { index: pointed.index })}</p>
      )}
      {tasks.length > 0 && (
        <ul className={style.cardTasks}>
          {tasks.slice(0, SHOWN).map((task, index) => (
            <TaskLine key={task.job_id ? `${task.job_id}/${task.task}` : index} task={task} lit={gpu !== null && task.gpus.includes(gpu)} />
          ))}
        </ul>
      )}
      {tasks.length > SHOWN && <p className={ink.fine}>{t('nodes.more', { count: tasks.length - SHOWN })}</p>}
      {tasks.length === 0 && !pointed && <p className={ink.fine}>{t('nodes.idle')}</p>}
    </div>
  );
}

function TaskLine({ task, lit }: { task: NodeTask; lit: boolean }) {
  const t = useT();
  return (
    <li className={style.cardTask} data-lit={lit || undefined}>
      <span className={style.cardGpus}>{gpuWords(task, t)}</span>
      <span className={style.cardJob}>
        {task.job_id ? (
          <Link to="/jobs/$job" params={{ job: task.job_id }}>
            {jobWords(task, t)}
          </Link>
        ) : (
          jobWords(task, t)
        )}
        <span className={ink.fine}>
          {task.owner} · {task.task}
        </span>
      </span>
      <span className={style.cardTime}>{task.started_at && <Duration from={task.started_at} />}</span>
    </li>
  );
}
