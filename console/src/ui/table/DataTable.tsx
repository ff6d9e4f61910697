/** A table of plain cells with fixed columns; of long ones only the rows in view exist. The server pages, sorts and filters. */
import type { ReactNode, Ref } from 'react';
import { useEffect, useRef, useState } from 'react';
import { choiceOf, DataRow } from './DataRow';
import { Icon } from '@/ui/icons';
import { VirtualBody } from './VirtualBody';
import type { TableControl } from './VirtualBody-focus';
import table from './table.module.css';
import style from './DataTable.module.css';

export interface Column<Row> {
  id: string;
  header: string;
  cell: (row: Row) => ReactNode;
  /** The header is for screen readers only. */
  hiddenHeader?: boolean;
  /** CSS width; columns without share the rest. */
  width?: string;
  /** Of a column without a width: the fewest pixels. Below, the table scrolls sideways. */
  min?: number;
  align?: 'right';
  /** What `sort` is called with; a column without cannot be sorted. */
  sort?: string;
  /** The server sorts it in this direction only. */
  oneWay?: 'up' | 'down';
  /** On screens narrower than this the column is left out. */
  hideBelow?: 'phone' | 'tablet' | 'desktop';
}

/** Rows that can be chosen, by their keys. `onToggle` and `label` must keep their identity, or every row is drawn again. */
export interface Choice<Row> {
  chosen: ReadonlySet<string>;
  label: (row: Row) => string;
  allLabel: string;
  /** `range`: together with all between it and the one before. */
  onToggle: (key: string, range: boolean) => void;
  onToggleAll: () => void;
}

/** A list of which only the beginning may be loaded: the rest keeps its room, so that the scrollbar tells the truth. */
export interface LongList {
  count: number;
  /** The rows on the screen, from 0; called after every change of either. */
  onView: (first: number, last: number) => void;
  control: Ref<TableControl>;
}

export interface Props<Row> {
  label: string;
  columns: Column<Row>[];
  rows: Row[];
  rowKey: (row: Row) => string;
  /** In pixels, one for all rows. */
  rowHeight?: number;
  /** "name" ascending, "-name" descending. */
  sort?: string | undefined;
  onSort?: (sort: string) => void;
  /** Older rows shown while newer ones load. */
  dimmed?: boolean;
  choice?: Choice<Row>;
  long?: LongList;
}

const ROW_HEIGHT = 36;
const CHOOSE_WIDTH = 40;
const VIRTUAL_ABOVE = 120;

export function DataTable<Row>(props: Props<Row>) {
  const { label, columns, rows, rowHeight = ROW_HEIGHT, sort, onSort, dimmed, choice, long } = props;
  // As a state, because the body inside is mounted before the element around it is known.
  const [scroller, setScroller] = useState<HTMLElement | null>(null);
  return (
    <div
      ref={setScroller}
      className={`${table.scroller} ${style.scroller}`}
      style={{ ['--row' as string]: `${rowHeight}px` }}
      data-dimmed={dimmed || undefined}
      role="region"
      aria-label={label}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must be reachable by keyboard
      tabIndex={0}
    >
      <table
        className={`${table.table} ${style.table}`}
        style={{ minWidth: leastWidth(columns, choice ? CHOOSE_WIDTH : 0) }}
        aria-busy={dimmed}
        aria-rowcount={long && long.count + 1}
      >
        <colgroup>
          {choice && <col style={{ width: CHOOSE_WIDTH }} data-choose />}
          {columns.map((column) => (
            <col key={column.id} style={{ width: column.width }} data-hide-below={column.hideBelow} />
          ))}
        </colgroup>
        <thead>
          <tr>
            {choice && <ChooseAll choice={choice} rows={rows} rowKey={props.rowKey} />}
            {columns.map((column) => (
              <Heading key={column.id} column={column} sort={sort} onSort={onSort} />
            ))}
          </tr>
        </thead>
        {long || rows.length > VIRTUAL_ABOVE ? (
          <VirtualBody {...(props as unknown as Props<unknown>)} rowHeight={rowHeight} scroller={scroller} />
        ) : (
          <PlainBody {...props} />
        )}
      </table>
    </div>
  );
}

interface HeadingProps<Row> {
  column: Column<Row>;
  sort?: string | undefined;
  onSort?: ((sort: string) => void) | undefined;
}

function Heading<Row>({ column, sort, onSort }: HeadingProps<Row>) {
  const { header, sort: by, align, oneWay } = column;
  const descending = sort === `-${by}`;
  const active = by !== undefined && (sort === by || descending);
  if (!by || !onSort) {
    return (
      <th scope="col" data-align={align} data-hide-below={column.hideBelow}>
        {column.hiddenHeader ? <span className="visually-hidden">{header}</span> : header}
      </th>
    );
  }
  const downNext = oneWay ? oneWay === 'down' : active && !descending;
  return (
    <th
      scope="col"
      data-align={align}
      data-hide-below={column.hideBelow}
      aria-sort={active ? (descending ? 'descending' : 'ascending') : 'none'}
    >
      <button type="button" className={style.sort} onClick={() => onSort(downNext ? `-${by}` : by)}>
        {header}
        <span className={active ? style.arrow : style.noArrow}>
          <Icon name={active ? (descending ? 'down' : 'up') : downNext ? 'down' : 'up'} size={12} />
        </span>
      </button>
    </th>
  );
}

function ChooseAll<Row>({ choice, rows, rowKey }: { choice: Choice<Row>; rows: Row[]; rowKey: (row: Row) => string }) {
  const box = useRef<HTMLInputElement>(null);
  const all = choice.chosen.size >= rows.length && rows.every((row) => choice.chosen.has(rowKey(row)));
  const some = !all && choice.chosen.size > 0;
  useEffect(() => {
    if (box.current) box.current.indeterminate = some;
  }, [some]);
  return (
    <th scope="col" className={style.choose}>
      <label>
        <input ref={box} type="checkbox" aria-label={choice.allLabel} title={choice.allLabel} checked={all} onChange={choice.onToggleAll} />
      </label>
    </th>
  );
}

function PlainBody<Row>({ columns, rows, rowKey, choice }: Props<Row>) {
  return (
    <tbody>
      {rows.map((row, index) => {
        const key = rowKey(row);
        return (
          <DataRow
            key={key}
            id={key}
            index={index}
            row={row}
            columns={columns as Column<unknown>[]}
            {...choiceOf(key, choice as Choice<unknown> | undefined)}
          />
        );
      })}
    </tbody>
  );
}

/** Undefined where the columns do not say. */
function leastWidth<Row>(columns: Column<Row>[], besides: number): number | undefined {
  if (!columns.some((column) => column.min)) return undefined;
  return columns.reduce((sum, { min, width }) => sum + (min ?? (Number.parseInt(width ?? '0', 10) || 0)), besides);
}
