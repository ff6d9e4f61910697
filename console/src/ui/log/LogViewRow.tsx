/** One line of a log: its number, its time, its text in colours. */
import type { ReactNode } from 'react';
import { memo } from 'react';
import { parseAnsi } from './ansi';
import { formatClock } from '@/ui/words/format';
import { LINE_HEIGHT } from './log-lines-layout';
import { spansOf } from './log-lines';
import type { Line } from './log-lines';
import style from './LogView.module.css';

/** No times, the clock's, or how long after the start. */
export type LogTimes = 'none' | 'clock' | 'start';

interface Props {
  line: Line;
  id: number;
  number: number | null;
  times: LogTimes;
  started: number;
  search: string;
  current: boolean;
  height: number;
}

export const LogRow = memo(function LogRow({ line, id, number, times, started, search, current, height }: Props) {
  return (
    <div
      className={style.line}
      data-line={id}
      data-error={line.error || undefined}
      data-current={current || undefined}
      style={height === LINE_HEIGHT ? undefined : { height }}
    >
      <span className={style.number} data-gutter="" data-number={number ?? undefined} />
      {times !== 'none' && (
        <span className={style.time}>{`${times === 'clock' ? formatClock(line.time) : formatSince(line.time - started)} `}</span>
      )}
      <span className={style.text}>
        {parseAnsi(line.raw).map((segment, index) => {
          const shown = search ? highlighted(segment.text, search) : segment.text;
          if (segment.color === undefined && !segment.bold) return shown;
          return (
            // oxlint-disable-next-line react/no-array-index-key -- the segments of a line never move
            <span key={index} data-color={segment.color} data-bold={segment.bold || undefined}>
              {shown}
            </span>
          );
        })}
      </span>
    </div>
  );
});

/** "+1:02:03.045": hours only where there are any. */
export function formatSince(milliseconds: number): string {
  const sign = milliseconds < 0 ? '-' : '+';
  const whole = Math.abs(Math.round(milliseconds));
  const hours = Math.floor(whole / 3_600_000);
  const minutes = Math.floor(whole / 60_000) % 60;
  const rest = `${String(Math.floor(whole / 1000) % 60).padStart(2, '0')}.${String(whole % 1000).padStart(3, '0')}`;
  return hours > 0 ? `${sign}${hours}:${String(minutes).padStart(2, '0')}:${rest}` : `${sign}${minutes}:${rest}`;
}

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
