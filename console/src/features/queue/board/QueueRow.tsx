/** One place in the queue: plain cells only, since thousands may be drawn. */
import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import type { QueueItem } from '@/api/queue';
import { useSentence, useT } from '@/app/i18n';
import { Person } from '@/ui/words/Person';
import { Grip } from '@/ui/drag/DragList';
import { Icon } from '@/ui/icons';
import { Ago, Duration } from '@/ui/words/Time';
import { jobName, sizeInLane, waitingSince } from '../words';
import lists from '@/ui/table/lists.module.css';
import ink from '@/ui/theme/ink.module.css';
import table from '@/ui/table/table.module.css';
import style from './QueueTable.module.css';

export interface RowActions {
  onWhy: (job: string) => void;
  onMenu: (item: QueueItem, button: HTMLElement) => void;
  onStep: (item: QueueItem, step: 1 | -1) => void;
  onChoose: (job: string, chosen: boolean) => void;
  onOwner: (owner: string) => void;
}

interface Props {
  /** Who stands here. */
  item: QueueItem;
  /** Who would stand here if what is held were dropped now. */
  shown: QueueItem;
  actions: RowActions;
  /** The name of this place for drag and drop; without it nothing moves here. */
  slot: string | undefined;
  landing: boolean;
  aside: boolean;
  /** Undefined where nothing can be chosen. */
  chosen: boolean | undefined;
  index: number;
}

export const QueueRow = memo(function QueueRow({ item, shown, actions, slot, landing, aside, chosen, index }: Props) {
  const t = useT();
  const name = jobName(shown, t);
  const job = item.job_id;
  const step = (event: React.KeyboardEvent) => {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
    event.preventDefault();
    actions.onStep(item, event.key === 'ArrowUp' ? -1 : 1);
  };
  return (
    <tr
      className={`${table.row} ${style.row}`}
      aria-rowindex={index}
      data-slot={slot}
      data-mine={shown.mine || undefined}
      data-landing={landing || undefined}
      data-aside={aside || undefined}
      data-job={job ?? undefined}
      onKeyDown={slot === undefined ? undefined : step}
    >
      {chosen !== undefined && (
        <td>
          {job !== null && (
            <input
              type="checkbox"
              className={style.check}
              aria-label={t('queue.choose', { name })}
              checked={chosen}
              onChange={(event) => actions.onChoose(job, event.currentTarget.checked)}
            />
          )}
        </td>
      )}
      <td>
        <span className={style.placeCell}>
          <span className={style.gripCell}>
            {slot !== undefined && <Grip id={slot} label={t('queue.grip', { name: jobName(item, t) })} />}
          </span>
          {shown.position}
        </span>
      </td>
      <td>
        <Name item={shown} />
      </td>
      <td data-hide-below="phone">
        <button
          type="button"
          className={style.plain}
          title={t('queue.onlyOf', { owner: shown.owner })}
          onClick={() => actions.onOwner(shown.owner)}
        >
          <Person name={shown.owner} />
        </button>
        {shown.mine && <span className={style.you}>{t('queue.you')}</span>}
      </td>
      <td>{sizeInLane(shown, t)}</td>
      <td data-hide-below="tablet">{shown.priority}</td>
      <td data-hide-below="tablet">{shown.project}</td>
      <td data-align="right" data-hide-below="phone">
        <Duration from={waitingSince(shown)} />
      </td>
      <td>
        <Reason item={shown} onWhy={actions.onWhy} />
      </td>
      <td>
        {job !== null && (
          <button
            type="button"
            className={lists.menuButton}
            aria-label={t('queue.actionsFor', { name })}
            aria-haspopup="menu"
            onClick={(event) => actions.onMenu(item, event.currentTarget)}
          >
            <Icon name="more" />
          </button>
        )}
      </td>
    </tr>
  );
});

function Name({ item }: { item: QueueItem }) {
  const t = useT();
  const name = jobName(item, t);
  return (
    <span className={style.nameCell}>
      {item.pinned_at && (
        <span className={style.pinned}>
          <Icon name="pin" size={14} />
          <span className="visually-hidden">{t('queue.pinned')}</span>
          <Ago at={item.pinned_at} />
        </span>
      )}
      {item.job_id === null ? (
        <span className={ink.quiet}>{name}</span>
      ) : (
        <Link to="/jobs/$job" params={{ job: item.job_id }} className={style.link} title={name} data-row-link>
          {name}
        </Link>
      )}
    </span>
  );
}

function Reason({ item, onWhy }: { item: QueueItem; onWhy: (job: string) => void }) {
  const t = useT();
  const say = useSentence();
  const job = item.job_id;
  if (job === null) return <span className={ink.quiet}>–</span>;
  const sentence = item.reason ? say(item.reason.text) : t('queue.why');
  return (
    <button
      type="button"
      className={style.why}
      title={sentence}
      aria-label={t('queue.whyOf', { name: jobName(item, t), reason: sentence })}
      onClick={() => onWhy(job)}
    >
      {sentence}
    </button>
  );
}
