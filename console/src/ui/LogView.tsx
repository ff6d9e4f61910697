/** A log of any length: only the lines in view are drawn, all of one height; it sticks to the end while following. */
import type { ReactNode, Ref } from 'react';
import { memo, useEffect, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react';
import { parseAnsi } from './ansi';
import { formatClock } from './format';
import { spansOf } from './log-lines';
import type { Line } from './log-lines';
import style from './LogView.module.css';

export const LINE_HEIGHT = 20;
const OVERSCAN = 20;
/** This close to the end counts as being there. */
const END_SLACK = LINE_HEIGHT * 1.5;

export interface LogViewHandle {
  reveal(index: number): void;
}

interface Props {
  label: string;
  lines: Line[];
  /** Changes whenever `lines` does; the array itself may grow in place. */
  version: number;
  /** Null where the log's beginning is not loaded: numbers would be wrong. */
  firstNumber: number | null;
  timestamps: boolean;
  search: string;
  current?: number | undefined;
  follow: boolean;
  onFollow: (follow: boolean) => void;
  /** Shown above the first line. */
  top?: ReactNode;
  ref?: Ref<LogViewHandle>;
}

export function LogView(props: Props) {
  const { label, lines, version, firstNumber, timestamps, search, current, follow, onFollow, top, ref } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 600 });
  const headHeight = top ? 32 : 0;

  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const measure = () => setView({ top: element.scrollTop, height: element.clientHeight });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, []);

  useEffect(() => {
    const element = scroller.current;
    if (follow && element) element.scrollTop = element.scrollHeight;
  }, [follow, version, view.height]);

  // Lines that come in front must not push away what is being read.
  const before = useRef({ first: lines[0], count: lines.length });
  useLayoutEffect(() => {
    const { first: known, count } = before.current;
    const added = lines.length - count;
    before.current = { first: lines[0], count: lines.length };
    if (scroller.current && known && added > 0 && lines[added] === known) scroller.current.scrollTop += added * LINE_HEIGHT;
  }, [version, lines]);

  useImperativeHandle(ref, () => ({
    reveal(index) {
      const element = scroller.current;
      if (element) element.scrollTop = Math.max(0, headHeight + index * LINE_HEIGHT - element.clientHeight / 2);
    },
  }), [headHeight]);

  const scrolled = () => {
    const element = scroller.current;
    if (!element) return;
    const atEnd = element.scrollHeight - element.scrollTop - element.clientHeight < END_SLACK;
    // Scrolling up lets go of the end; scrolling back down takes hold again.
    if (element.scrollTop < view.top && follow && !atEnd) onFollow(false);
    else if (!follow && atEnd && element.scrollTop > view.top) onFollow(true);
    setView({ top: element.scrollTop, height: element.clientHeight });
  };

  const first = Math.max(0, Math.floor((view.top - headHeight) / LINE_HEIGHT) - OVERSCAN);
  const last = Math.min(lines.length, Math.ceil((view.top + view.height) / LINE_HEIGHT) + OVERSCAN);
  const base = firstNumber ?? 1;
  const digits = firstNumber === null ? 0 : String(base + lines.length).length;
  const rows: ReactNode[] = [];
  for (let index = first; index < last; index += 1) {
    rows.push(
      <Row
        key={base + index}
        line={lines[index]!}
        number={firstNumber === null ? null : base + index}
        timestamps={timestamps}
        search={search}
        current={index === current}
      />,
    );
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must be reachable by keyboard
    <div ref={scroller} className={style.scroller} onScroll={scrolled} role="log" aria-live="off" aria-label={label} tabIndex={0}>
      {top && <div className={style.top}>{top}</div>}
      <div className={style.canvas} style={{ height: lines.length * LINE_HEIGHT }}>
        <div className={style.window} style={{ transform: `translateY(${first * LINE_HEIGHT}px)`, ['--digits' as string]: digits }}>
          {rows}
        </div>
      </div>
    </div>
  );
}

interface RowProps {
  line: Line;
  number: number | null;
  timestamps: boolean;
  search: string;
  current: boolean;
}

const Row = memo(function Row({ line, number, timestamps, search, current }: RowProps) {
  return (
    <div className={style.line} data-error={line.error || undefined} data-current={current || undefined}>
      <span className={style.number} data-number={number} />
      {timestamps && <span className={style.time}>{formatClock(line.time)}</span>}
      <span className={style.text}>
        {parseAnsi(line.raw).map((segment, index) => {
          const shown = search ? highlighted(segment.text, search) : segment.text;
          if (segment.color === undefined && !segment.bold) return shown;
          // oxlint-disable-next-line react/no-array-index-key -- the segments of a line never move
          return <span key={index} data-color={segment.color} data-bold={segment.bold || undefined}>{shown}</span>;
        })}
      </span>
    </div>
  );
});

function highlighted(text: string, search: string): ReactNode {
  const spans = spansOf(text, search);
  if (spans.length === 0) return text;
  const parts: ReactNode[] = [];
  let from = 0;
  for (const [start, end] of spans) {
    if (start > from) parts.push(text.slice(from, start));
    parts.push(<mark key={start}>{text.slice(start, end)}</mark>);
    from = end;
  }
  if (from < text.length) parts.push(text.slice(from));
  return parts;
}
