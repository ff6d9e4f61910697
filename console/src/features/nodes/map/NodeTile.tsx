/** One node in the heat map: its name, its state where it matters, and a cell for each GPU. */
import { memo } from 'react';
import { basePath } from '@/api/client';
import type { Node } from '@/api/nodes';
import { useT } from '@/app/i18n';
import { formatBytes, formatCount } from '@/ui/words/format';
import { Icon } from '@/ui/icons';
import type { IconName } from '@/ui/icons';
import { NodeStatus } from '@/ui/words/Status';
import { Duration } from '@/ui/words/Time';
import { cardsOf, inService, isShared, share } from '../capacity';
import type { Card } from '../capacity';
import { fillOf, signOf, timeStep } from './colours';
import type { Colouring } from '../search';
import { jobWords, longestTask, nodeWords } from '../words';
import style from './HeatMap.module.css';

export interface TileLook {
  colour: Colouring;
  /** Who looks: what they hold has an edge. */
  me: string;
  /** Whose GPUs stand out; without, everybody's. */
  owner: string | undefined;
  roomy: boolean;
  now: number;
}

const SIGNS: Partial<Record<Node['state'], IconName>> = { cordoned: 'cordoned', unreachable: 'lost', off: 'stopped' };

interface Props {
  node: Node;
  look: TileLook;
  /** The one tile that the Tab key reaches. */
  reachable: boolean;
}

/** A plain link that the map follows: the router's own costs too much for hundreds of them. */
export const NodeTile = memo(function NodeTile({ node, look, reachable }: Props) {
  const t = useT();
  const sign = SIGNS[node.state];
  const closes = Boolean(node.drain_by ?? node.closes_at);
  return (
    <a
      href={`${basePath}/nodes/${encodeURIComponent(node.name)}`}
      className={look.roomy ? `${style.tile} ${style.roomy}` : style.tile}
      data-node={node.name}
      data-state={node.state}
      tabIndex={reachable ? 0 : -1}
    >
      <span className="visually-hidden">{nodeWords(node, look.now, t)}</span>
      <span className={style.tileHead} aria-hidden="true">
        <span className={style.tileName}>{node.name}</span>
        {closes && (
          <span className={style.closes}>
            <Icon name="calendar" size={12} />
          </span>
        )}
        {look.roomy && <NodeStatus state={node.state} />}
        {!look.roomy && sign && (
          <span className={style.sign}>
            <Icon name={sign} size={12} />
          </span>
        )}
      </span>
      {node.gpus.length > 0 ? (
        <span className={style.cells} aria-hidden="true">
          {cardsOf(node).map((card) => (
            <Cell key={card.index} card={card} look={look} open={inService(node)} />
          ))}
        </span>
      ) : (
        <span className={style.cpuOnly} aria-hidden="true">
          <i style={{ width: `${share(node.used.cpus + node.foreign.cpus, node.cpus) * 100}%` }} />
        </span>
      )}
      {look.roomy && (
        <span className={style.tileTask} aria-hidden="true">
          <Longest node={node} />
        </span>
      )}
      {look.roomy && (
        <span className={style.rest} aria-hidden="true">
          <span>{t('nodes.cpusShort', { used: formatCount(node.used.cpus), total: formatCount(node.cpus) })}</span>
          <span>{t('nodes.memoryShort', { used: formatBytes(node.used.memory), total: formatBytes(node.memory) })}</span>
        </span>
      )}
    </a>
  );
});

/** The longest task, how long by the same clock as everywhere, and how many more there are. */
function Longest({ node }: { node: Node }) {
  const t = useT();
  const task = longestTask(node);
  if (!task) return t('nodes.idle');
  return (
    <>
      {task.owner}: {jobWords(task, t)}
      {task.started_at && (
        <>
          {' '}
          · <Duration from={task.started_at} />
        </>
      )}
      {node.tasks.length > 1 && ` · ${t('nodes.more', { count: node.tasks.length - 1 })}`}
    </>
  );
}

function Cell({ card, look, open }: { card: Card; look: TileLook; open: boolean }) {
  const [first] = card.holders;
  const dim = isDim(card, look) || undefined;
  if (!first) {
    const fill = card.others ? 'others' : open ? 'free' : 'shut';
    return (
      <span className={style.cell} data-gpu={card.index} data-fill={fill} data-dim={dim}>
        {look.roomy && !dim && card.index}
      </span>
    );
  }
  const byTime = look.colour === 'time';
  const sign = byTime ? timeStep(card.holders, look.now) : card.holders.length > 1 ? `×${card.holders.length}` : signOf(first.owner);
  return (
    <span
      className={style.cell}
      data-gpu={card.index}
      data-fill={byTime ? `time${timeStep(card.holders, look.now)}` : fillOf(first.owner)}
      data-part={isShared(card) || undefined}
      data-mine={(!byTime && first.owner === look.me) || undefined}
      data-dim={dim}
    >
      {!dim && sign}
    </span>
  );
}

function isDim(card: Card, { owner }: TileLook): boolean {
  return owner !== undefined && !card.holders.some((task) => task.owner === owner);
}
