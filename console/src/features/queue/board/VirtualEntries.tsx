/** The rows of a long queue: those in view, the heading of their lane, and what is held. */
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import type { ReactNode, RefObject } from 'react';
import { useEffect } from 'react';
import type { Entry } from './QueueTable';

const ROW_HEIGHT = 36;

interface Props {
  entries: Entry[];
  scroller: RefObject<HTMLDivElement | null>;
  draw: (entry: Entry, index: number) => ReactNode;
  /** A row that must not go, in view or not; -1 is none. */
  keep: number;
  onShown: (row: number) => void;
}

export default function VirtualEntries({ entries, scroller, draw, keep, onShown }: Props) {
  const virtual = useVirtualizer({
    count: entries.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
    rangeExtractor: (range) => {
      const kept = [headingAbove(entries, range.startIndex), keep].filter((index) => index >= 0);
      return [...new Set([...kept, ...defaultRangeExtractor(range)])].sort((a, b) => a - b);
    },
  });
  const shown = virtual.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;
  useEffect(() => onShown(last), [last, onShown]);

  const rows: ReactNode[] = [];
  let end = 0;
  for (const { index, start, end: next } of shown) {
    if (start > end) rows.push(<Gap key={`gap ${index}`} height={start - end} />);
    rows.push(draw(entries[index]!, index));
    end = next;
  }
  if (virtual.getTotalSize() > end) rows.push(<Gap key="gap" height={virtual.getTotalSize() - end} />);
  return rows;
}

function Gap({ height }: { height: number }) {
  return <tr aria-hidden="true" style={{ height }} />;
}

/** A lane's heading stays at the top while its rows go by. */
function headingAbove(entries: readonly Entry[], index: number): number {
  return entries.findLastIndex((entry, at) => at <= index && entry.item === undefined);
}
