/** The queue as one table, lane after lane; a long one draws only the rows in view. */
import type { ReactNode } from 'react';
import { lazy, Suspense, useMemo, useRef } from 'react';
import type { Lane, QueueItem } from '@/api/queue';
import type { MessageKey } from '@/app/i18n';
import { useT } from '@/app/i18n';
import type { Held } from '@/ui/drag/DragList';
import { countOf } from '../lanes';
import { laneKey, slotName } from '../lines';
import { QueueRow } from './QueueRow';
import type { RowActions } from './QueueRow';
import { laneName, workWords } from '../words';
import table from '@/ui/table/table.module.css';
import style from './QueueTable.module.css';

export interface Entry {
  key: string;
  /** Undefined for the heading of a lane. */
  item?: QueueItem;
  lane: QueueItem['lane'];
}

export interface TableProps {
  items: QueueItem[];
  /** The same places with what is held where it would land. */
  preview: QueueItem[];
  lanes: Lane[];
  held: Held | null;
  slotOf: (item: QueueItem) => string | undefined;
  actions: RowActions;
  /** Undefined where nothing can be chosen. */
  chosen: ReadonlySet<string> | undefined;
  dimmed: boolean;
  /** Called with the number of the last row in view. */
  onShown: (row: number) => void;
}

interface Column {
  id: string;
  header: MessageKey;
  /** For screen readers only. */
  hidden?: boolean;
  align?: 'right';
  hideBelow?: 'phone' | 'tablet' | 'desktop';
}

const CHOOSE: Column = { id: 'choose', header: 'queue.chosenHead', hidden: true };
const COLUMNS: Column[] = [
  { id: 'place', header: 'queue.place' },
  { id: 'name', header: 'jobs.name' },
  { id: 'owner', header: 'queue.owner', hideBelow: 'phone' },
  { id: 'size', header: 'queue.size' },
  { id: 'priority', header: 'queue.priority', hideBelow: 'tablet' },
  { id: 'project', header: 'queue.project', hideBelow: 'tablet' },
  { id: 'waits', header: 'queue.waits', align: 'right', hideBelow: 'phone' },
  { id: 'reason', header: 'queue.whyHead' },
  { id: 'menu', header: 'jobs.actions', hidden: true },
];
/** A lane's name stands over the first of them. */
const NAMED = new Set(['choose', 'place', 'name']);

const VIRTUAL_ABOVE = 120;
/** Only long queues pay for it. */
const VirtualEntries = lazy(() => import('./VirtualEntries'));

export function QueueTable(props: TableProps) {
  const { items, dimmed, chosen, held } = props;
  const t = useT();
  const scroller = useRef<HTMLDivElement>(null);
  const entries = useMemo(() => entriesOf(items), [items]);
  const rowOf = useMemo(() => new Map(items.map((item, at) => [item, at])), [items]);
  const columns = chosen === undefined ? COLUMNS : [CHOOSE, ...COLUMNS];
  const draw = (entry: Entry, index: number): ReactNode =>
    entry.item === undefined ? (
      <LaneHeading key={entry.key} entry={entry} lanes={props.lanes} columns={columns} index={index + 2} />
    ) : (
      <Place key={entry.key} {...props} item={entry.item} shown={props.preview[rowOf.get(entry.item)!] ?? entry.item} index={index + 2} />
    );
  const keep = held ? entries.findIndex((entry) => entry.item && props.slotOf(entry.item) === held.id) : -1;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must be reachable by keyboard
    <div ref={scroller} className={table.scroller} data-dimmed={dimmed || undefined} role="region" aria-label={t('nav.queue')} tabIndex={0}>
      <table
        className={`${table.table} ${style.table}`}
        data-holding={held !== null || undefined}
        aria-busy={dimmed}
        aria-rowcount={entries.length + 1}
      >
        <thead>
          <tr aria-rowindex={1}>
            {columns.map(({ id, header, hidden, align, hideBelow }) => (
              <th key={id} scope="col" className={style[id]} data-align={align} data-hide-below={hideBelow}>
                {hidden ? <span className="visually-hidden">{t(header)}</span> : t(header)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {entries.length > VIRTUAL_ABOVE ? (
            <Suspense fallback={entries.slice(0, VIRTUAL_ABOVE).map(draw)}>
              <VirtualEntries entries={entries} scroller={scroller} draw={draw} keep={keep} onShown={props.onShown} />
            </Suspense>
          ) : (
            entries.map(draw)
          )}
        </tbody>
      </table>
    </div>
  );
}

function Place({ item, shown, index, held, slotOf, chosen, actions }: TableProps & { item: QueueItem; shown: QueueItem; index: number }) {
  const slot = slotOf(item);
  return (
    <QueueRow
      item={item}
      shown={shown}
      index={index}
      actions={actions}
      slot={slot}
      landing={held !== null && slot === held.slots[held.to]}
      aside={held !== null && (slot === undefined || !held.slots.includes(slot))}
      chosen={chosen && item.job_id !== null ? chosen.has(item.job_id) : chosen && false}
    />
  );
}

function LaneHeading({ entry, lanes, columns, index }: { entry: Entry; lanes: Lane[]; columns: Column[]; index: number }) {
  const t = useT();
  const count = lanes.find((lane) => laneKey({ lane }) === laneKey(entry));
  return (
    <tr className={style.lane} aria-rowindex={index}>
      <th scope="colgroup" colSpan={columns.filter(({ id }) => NAMED.has(id)).length}>
        <span className={style.laneName}>{laneName(entry.lane, t)}</span>
        {count && (
          <span className={style.laneCount}>
            {t('queue.laneCount', { count: count.waiting, work: workWords(countOf({ lanes: [count], classes: [] }, count), t) })}
          </span>
        )}
      </th>
      {/* One for each, since those that narrow screens leave out must not count. */}
      {columns
        .filter(({ id }) => !NAMED.has(id))
        .map(({ id, hideBelow }) => (
          <td key={id} data-hide-below={hideBelow} aria-hidden="true" />
        ))}
    </tr>
  );
}

/** Each lane's heading before its places. */
export function entriesOf(items: readonly QueueItem[]): Entry[] {
  return items.flatMap((item, at) => {
    const lane = laneKey(item);
    const row = { key: slotName(item), item, lane: item.lane };
    const before = items[at - 1];
    return before && laneKey(before) === lane ? [row] : [{ key: lane, lane: item.lane }, row];
  });
}
