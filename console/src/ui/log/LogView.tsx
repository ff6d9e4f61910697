/** A log of any length: only the lines in view are drawn; it sticks to the end while following. */
import type { MouseEvent, ReactNode, Ref } from 'react';
import { useEffect, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react';
import { evenLayout, LINE_HEIGHT, TALLEST, WrappedLayout } from './log-lines-layout';
import { indexAtTime } from './log-lines';
import type { Line } from './log-lines';
import { LogRow } from './LogViewRow';
import type { LogTimes } from './LogViewRow';
import style from './LogView.module.css';

const OVERSCAN = 15;
/** This close to the end counts as being there. */
const END_SLACK = LINE_HEIGHT * 1.5;
const HEAD_HEIGHT = 32;
/** This close to the beginning or the end, more lines are fetched. */
const NEAR_EDGE = LINE_HEIGHT * 40;

export interface LogViewHandle {
  reveal(number: number): void;
  revealTime(time: number): void;
}

interface Props {
  label: string;
  lines: Line[];
  /** Changes whenever `lines` does; the array itself may grow in place. */
  version: number;
  /** The number of the first line; it follows the line when others come in front. */
  base: number;
  /** Null where the log's beginning is not known: numbers would be wrong. */
  firstNumber: number | null;
  times: LogTimes;
  /** Where relative times begin. */
  started?: number;
  wrap?: boolean;
  search: string;
  /** The number of the line that is pointed at. */
  current?: number | undefined;
  follow: boolean;
  onFollow: (follow: boolean) => void;
  onPick?: (line: Line, number: number) => void;
  /** The reader comes close to the first line. */
  onNearTop?: (() => void) | undefined;
  /** The reader comes close to the last line. */
  onNearEnd?: (() => void) | undefined;
  /** The reader scrolled: the time of the first line in view. */
  onScrolled?: (time: number) => void;
  /** Shown above the first and below the last line. */
  top?: ReactNode;
  bottom?: ReactNode;
  ref?: Ref<LogViewHandle>;
}

export function LogView(props: Props) {
  const {
    label,
    lines,
    version,
    base,
    firstNumber,
    times,
    started = 0,
    wrap = false,
    search,
    current,
    follow,
    onFollow,
    top,
    bottom,
    ref,
  } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 600, columns: 100 });
  const wrapped = useRef<WrappedLayout>(null);
  const head = top ? HEAD_HEIGHT : 0;
  const digits = firstNumber === null ? 0 : String(firstNumber + lines.length).length;
  const columns = Math.max(10, view.columns - digits - (times === 'none' ? 0 : 14) - 7);
  const layout = wrap ? (wrapped.current ??= new WrappedLayout()).update(lines, base, columns) : evenLayout(lines.length, base);
  const drawnHeight = Math.min(layout.height, TALLEST);
  const scale = layout.height > TALLEST ? (layout.height - view.height) / (TALLEST - view.height) : 1;

  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const measure = () =>
      setView({ top: element.scrollTop, height: element.clientHeight, columns: Math.floor(element.clientWidth / characterWidth(element)) });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, []);

  useEffect(() => {
    const element = scroller.current;
    if (follow && element) element.scrollTop = element.scrollHeight;
  }, [follow, version, view.height, wrap]);

  // Lines that come or go in front must not move what is being read.
  const { origin } = layout;
  const before = useRef({ base, origin });
  useLayoutEffect(() => {
    const moved = before.current.base - base;
    const element = scroller.current;
    if (element && moved !== 0 && Math.abs(moved) < 10_000_000 && !follow) element.scrollTop += (before.current.origin - origin) / scale;
    before.current = { base, origin };
  });

  useImperativeHandle(ref, () => {
    const show = (index: number, share: number) => {
      const element = scroller.current;
      if (element) element.scrollTop = head + Math.max(0, layout.topOf(index) - element.clientHeight * share) / scale;
    };
    return {
      reveal: (number) => show(number - base, 0.4),
      revealTime: (time) => show(indexAtTime(lines, time), 0),
    };
  }, [base, head, layout, lines, scale]);

  const scrolled = () => {
    const element = scroller.current;
    if (!element) return;
    const { scrollTop, clientHeight } = element;
    const atEnd = element.scrollHeight - scrollTop - clientHeight < END_SLACK;
    // Scrolling up lets go of the end; scrolling back down takes hold again.
    if (scrollTop < view.top && follow && !atEnd) onFollow(false);
    else if (!follow && atEnd && scrollTop > view.top && !bottom) onFollow(true);
    if (scrollTop < view.top && scrollTop < NEAR_EDGE) props.onNearTop?.();
    if (scrollTop > view.top && element.scrollHeight - scrollTop - clientHeight < NEAR_EDGE) props.onNearEnd?.();
    if (scrollTop !== view.top) {
      setView({ ...view, top: scrollTop, height: clientHeight });
      props.onScrolled?.(lines[layout.indexAt((scrollTop - head) * scale)]?.time ?? 0);
    }
  };

  const pick = (event: MouseEvent) => {
    const number = (event.target as HTMLElement).closest<HTMLElement>('[data-gutter]')?.parentElement?.dataset.line;
    if (number !== undefined) props.onPick?.(lines[Number(number) - base]!, Number(number));
  };

  const position = Math.max(0, view.top - head) * scale;
  const first = lines.length === 0 ? 0 : Math.max(0, layout.indexAt(position) - OVERSCAN);
  const last = lines.length === 0 ? 0 : Math.min(lines.length, layout.indexAt(position + view.height) + 1 + OVERSCAN);
  const rows: ReactNode[] = [];
  for (let index = first; index < last; index += 1) {
    rows.push(
      <LogRow
        key={base + index}
        line={lines[index]!}
        id={base + index}
        number={firstNumber === null ? null : firstNumber + index}
        times={times}
        started={started}
        search={search}
        current={base + index === current}
        height={wrap ? layout.topOf(index + 1) - layout.topOf(index) : LINE_HEIGHT}
      />,
    );
  }
  // Where the scale is not 1, rows stand where they look right, not where they would be.
  const windowTop = scale === 1 ? layout.topOf(first) : Math.max(0, view.top - head) - (position - layout.topOf(first));

  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- what a click picks, the search picks too
    <div
      ref={scroller}
      className={style.scroller}
      onScroll={scrolled}
      onClick={pick}
      role="log"
      aria-live="off"
      aria-label={label}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must be reachable by keyboard
      tabIndex={0}
      data-wrap={wrap || undefined}
    >
      {top && <div className={style.edge}>{top}</div>}
      <div className={style.canvas} style={{ height: drawnHeight }}>
        <div className={style.window} style={{ transform: `translateY(${windowTop}px)`, ['--digits' as string]: digits }}>
          {rows}
        </div>
      </div>
      {bottom && <div className={style.edge}>{bottom}</div>}
    </div>
  );
}

/** The font has one width for all. */
function characterWidth(element: HTMLElement): number {
  const probe = document.createElement('span');
  probe.textContent = '0'.repeat(100);
  probe.className = style.probe ?? '';
  element.append(probe);
  const { width } = probe.getBoundingClientRect();
  probe.remove();
  return width > 0 ? width / 100 : 7.2;
}
