/** The body of a long table: only the rows in view exist, all of one height. */
import type { ReactNode } from 'react';
import { useEffect, useRef } from 'react';
import { choiceOf, DataRow } from './DataRow';
import type { Props } from './DataTable';
import { useRowFocus } from './VirtualBody-focus';
import { useAnchor, useSpan } from './VirtualBody-scroll';
import type { Span } from './VirtualBody-scroll';
import style from './DataTable.module.css';

/** Rows drawn beyond each edge: what a wheel reaches before the next frame. */
const OVERSCAN = 12;
/** Who leaps over whole screens sees only what they land on: more would be drawn for nothing. */
const LEAPING = 2;

interface BodyProps extends Props<unknown> {
  rowHeight: number;
  /** Null until it is known. */
  scroller: HTMLElement | null;
}

export function VirtualBody({ columns, rows, rowKey, rowHeight, choice, long, scroller }: BodyProps) {
  const count = Math.max(rows.length, long?.count ?? 0);
  const [span, look] = useSpan(scroller, rowHeight);
  const beyond = useBeyond(span);
  const first = Math.max(0, Math.min(span.first, count - 1) - beyond);
  const last = Math.min(count - 1, span.last + beyond);
  const moved = useRef(0);
  useAnchor(scroller, rows, rowKey, rowHeight, span.first, (by) => {
    moved.current = by;
    // Drawn before the next frame: many rows at once would leave it blank.
    look();
  });
  useRowFocus(scroller, rowHeight, count, long?.control);

  const onView = long?.onView;
  useEffect(() => {
    // Rows that came in above have just moved the place, and this runs before the span knows.
    const by = moved.current;
    moved.current = 0;
    onView?.(span.first + by, Math.min(span.last + by, count - 1));
  }, [onView, span, count, rows]);

  const drawn: ReactNode[] = [];
  for (let index = first; index <= last; index += 1) {
    if (index >= rows.length) {
      drawn.push(<AwaitedRow key={`awaited ${index}`} index={index} cells={columns.length + (choice ? 1 : 0)} />);
      continue;
    }
    const row = rows[index];
    const key = rowKey(row);
    drawn.push(<DataRow key={key} id={key} index={index} row={row} columns={columns} {...choiceOf(key, choice)} />);
  }
  const after = count - 1 - last;
  return (
    <tbody>
      {first > 0 && <tr aria-hidden="true" style={{ height: first * rowHeight }} />}
      {drawn}
      {after > 0 && <tr aria-hidden="true" style={{ height: after * rowHeight }} />}
    </tbody>
  );
}

/** How many rows to draw beyond the edges, by how far the last step went. */
function useBeyond({ first, last }: Span): number {
  const step = useRef({ first, beyond: OVERSCAN });
  if (step.current.first !== first) {
    const leaps = Math.abs(first - step.current.first) > last - first;
    step.current = { first, beyond: leaps ? LEAPING : OVERSCAN };
  }
  return step.current.beyond;
}

/** A row that exists but is not loaded yet. */
function AwaitedRow({ index, cells }: { index: number; cells: number }) {
  return (
    <tr className={style.awaited} data-index={index} aria-hidden="true">
      {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label -- it says nothing yet */}
      <td colSpan={cells}>
        <span style={{ width: `${30 + ((index * 37) % 50)}%` }} />
      </td>
    </tr>
  );
}
