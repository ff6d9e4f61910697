/** A table of plain cells with fixed columns; long ones draw only the rows in view. The server pages, sorts and filters. */
import type { ReactNode } from 'react';
import { lazy, Suspense, useRef } from 'react';
import { DataRow } from './DataRow';
import { Icon } from './icons';
import style from './DataTable.module.css';

export interface Column<Row> {
  id: string;
  header: string;
  cell: (row: Row) => ReactNode;
  /** The header is for screen readers only. */
  hiddenHeader?: boolean;
  /** CSS width; one column without takes the rest. */
  width?: string;
  align?: 'right';
  /** What `sort` is called with; a column without cannot be sorted. */
  sort?: string;
  /** On screens narrower than this the column is left out. */
  hideBelow?: 'phone' | 'tablet' | 'desktop';
}

export interface Props<Row> {
  label: string;
  columns: Column<Row>[];
  rows: Row[];
  rowKey: (row: Row) => string;
  /** "name" ascending, "-name" descending. */
  sort?: string | undefined;
  onSort?: (sort: string) => void;
  /** Older rows shown while newer ones load. */
  dimmed?: boolean;
}

const VIRTUAL_ABOVE = 120;
/** Only long tables pay for it. */
const VirtualBody = lazy(() => import('./VirtualBody'));

export function DataTable<Row>(props: Props<Row>) {
  const { label, columns, rows, sort, onSort, dimmed } = props;
  const scroller = useRef<HTMLDivElement>(null);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must be reachable by keyboard
    <div ref={scroller} className={style.scroller} data-dimmed={dimmed || undefined} role="region" aria-label={label} tabIndex={0}>
      <table className={style.table} aria-busy={dimmed}>
        <colgroup>
          {columns.map((column) => (
            <col key={column.id} style={{ width: column.width }} data-hide-below={column.hideBelow} />
          ))}
        </colgroup>
        <thead>
          <tr>
            {columns.map((column) => (
              <Heading key={column.id} column={column} sort={sort} onSort={onSort} />
            ))}
          </tr>
        </thead>
        {rows.length > VIRTUAL_ABOVE ? (
          <Suspense fallback={<PlainBody {...props} />}>
            <VirtualBody {...(props as unknown as Props<unknown>)} scroller={scroller} />
          </Suspense>
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
  const { header, sort: by, align } = column;
  const descending = sort === `-${by}`;
  const active = by !== undefined && (sort === by || descending);
  if (!by || !onSort) {
    return <th scope="col" data-align={align} data-hide-below={column.hideBelow}>{column.hiddenHeader ? <span className="visually-hidden">{header}</span> : header}</th>;
  }
  return (
    <th scope="col" data-align={align} data-hide-below={column.hideBelow} aria-sort={active ? (descending ? 'descending' : 'ascending') : 'none'}>
      <button type="button" className={style.sort} onClick={() => onSort(active && !descending ? `-${by}` : by)}>
        {header}
        <span className={active ? style.arrow : style.noArrow}>
          <Icon name={descending ? 'down' : 'up'} size={12} />
        </span>
      </button>
    </th>
  );
}

function PlainBody<Row>({ columns, rows, rowKey }: Props<Row>) {
  return (
    <tbody>
      {rows.map((row) => (
        <DataRow key={rowKey(row)} row={row} columns={columns as Column<unknown>[]} />
      ))}
    </tbody>
  );
}
