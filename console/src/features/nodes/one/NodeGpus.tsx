/** The GPUs of a node: who holds each, with which job, since when; shares of one too. */
import { Link } from '@tanstack/react-router';
import type { Node, NodeTask } from '@/api/nodes';
import { useT } from '@/app/i18n';
import type { Translate } from '@/app/i18n';
import { Person } from '@/ui/words/Person';
import { Panel } from '@/ui/page/Panel';
import { Duration } from '@/ui/words/Time';
import { cardsOf, inService } from '../capacity';
import type { Card } from '../capacity';
import { jobWords, usedWords } from '../words';
import ink from '@/ui/theme/ink.module.css';
import style from '../NodePage.module.css';

export function NodeGpus({ node }: { node: Node }) {
  const t = useT();
  return (
    <Panel title={t('nodes.gpus')} aside={<span className={ink.fine}>{usedWords(node, t)}</span>}>
      <ul className={style.gpus} aria-label={t('nodes.gpusOf', { node: node.name })}>
        {cardsOf(node).map((card) => (
          <Gpu key={card.index} card={card} open={inService(node)} />
        ))}
      </ul>
    </Panel>
  );
}

function Gpu({ card, open }: { card: Card; open: boolean }) {
  const t = useT();
  const held = card.holders.length > 0;
  return (
    <li className={style.gpu} data-held={held || undefined} data-shut={(!held && !open) || undefined}>
      <div className={style.gpuHead}>
        <strong>{t('nodes.gpuNumbers', { numbers: card.index })}</strong>
        <span className={ink.fine}>{partWords(card, open, t)}</span>
      </div>
      {card.holders.map((task, at) => (
        <Holder key={task.job_id ? `${task.job_id}/${task.task}` : at} task={task} />
      ))}
    </li>
  );
}

function Holder({ task }: { task: NodeTask }) {
  const t = useT();
  return (
    <div className={style.holder}>
      {task.job_id ? (
        <Link to="/jobs/$job" params={{ job: task.job_id }} className={ink.cut} title={task.job_name ?? undefined}>
          {jobWords(task, t)}
        </Link>
      ) : (
        <span className={ink.cut}>{jobWords(task, t)}</span>
      )}
      <span className={ink.fine}>
        <Person name={task.owner} />
        {task.started_at && (
          <>
            {' '}
            · <Duration from={task.started_at} />
          </>
        )}
      </span>
    </div>
  );
}

function partWords({ holders, used, others }: Card, open: boolean, t: Translate): string {
  if (others) return t('nodes.othersHold');
  if (holders.length === 0) return t(open ? 'nodes.free' : 'nodes.shut');
  if (used !== null && used < 1) return t('nodes.part', { percent: Math.round(used * 100) });
  return holders.length > 1 ? t('nodes.sharedBy', { count: holders.length }) : '';
}
