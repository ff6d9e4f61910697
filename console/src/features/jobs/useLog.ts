/** The log of one task: its last lines first, then live, earlier lines on request. */
import { useCallback, useEffect, useReducer, useRef, useState, useSyncExternalStore } from 'react';
import { followLog, readEarlier, tailLog } from '@/api/logs';
import type { LogSource } from '@/api/logs';
import type { LogLine } from '@/api/types';
import { LineBuffer, toLine } from '@/ui/log-lines';
import type { Line } from '@/ui/log-lines';

const FIRST_TAIL = 2000;
const GROWTH = 5;
/** The server looks no further back at once. */
const MOST_TAIL = 1_000_000;

export interface Log {
  lines: Line[];
  version: number;
  dropped: number;
  status: 'loading' | 'failed' | 'ready';
  error: unknown;
  /** The task ended and everything it printed is here. */
  ended: boolean;
  connected: boolean;
  /** Null where the first line is the log's first. */
  loadEarlier: (() => Promise<void>) | null;
  retry: () => void;
}

export function useLog({ job, task, attempt }: LogSource, finished: boolean): Log {
  const buffer = useRef(new LineBuffer()).current;
  const version = useSyncExternalStore(buffer.subscribe, buffer.snapshot);
  const [state, setState] = useState<{ status: Log['status']; error: unknown }>({ status: 'loading', error: null });
  const [ended, setEnded] = useState(false);
  const [connected, setConnected] = useState(true);
  const [first, setFirst] = useState(0);
  const [tries, retry] = useReducer((count: number) => count + 1, 0);
  const tail = useRef(FIRST_TAIL);
  // A job that ends while being watched is still followed to its end; only the state at opening counts.
  const finishedAtStart = useRef(finished);

  useEffect(() => {
    const aborter = new AbortController();
    let unfollow: (() => void) | null = null;
    let offset = 0;
    let over = false;
    tail.current = FIRST_TAIL;
    buffer.reset([]);
    setState({ status: 'loading', error: null });
    setEnded(false);

    const follow = () => {
      if (over || unfollow || document.hidden) return;
      unfollow = followLog({ job, task, attempt }, offset, {
        lines: (lines, next) => {
          offset = next;
          buffer.append(lines.map(([time, stream, text]) => toLine(time, stream === 'e', text)));
        },
        ended: () => {
          over = true;
          setEnded(true);
        },
        connected: setConnected,
      });
    };
    // A hidden page holds no stream: browsers allow six to one server, over all tabs.
    const visibility = () => {
      if (document.hidden) {
        unfollow?.();
        unfollow = null;
      } else follow();
    };

    void (async () => {
      try {
        const page = await tailLog({ job, task, attempt }, FIRST_TAIL, aborter.signal);
        buffer.reset(page.lines.map(fromPage));
        setFirst(page.lines[0]?.offset ?? 0);
        setState({ status: 'ready', error: null });
        offset = page.next_offset;
        over = page.end && finishedAtStart.current;
        setEnded(over);
        document.addEventListener('visibilitychange', visibility);
        follow();
      } catch (error) {
        if (!aborter.signal.aborted) setState({ status: 'failed', error });
      }
    })();

    return () => {
      aborter.abort();
      over = true;
      unfollow?.();
      document.removeEventListener('visibilitychange', visibility);
    };
  }, [buffer, job, task, attempt, tries]);

  const loadEarlier = useCallback(async () => {
    tail.current = Math.min(MOST_TAIL, Math.max(tail.current, buffer.lines.length) * GROWTH);
    const known = buffer.lines[0]?.offset ?? 0;
    const earlier = await readEarlier({ job, task, attempt }, tail.current, known);
    buffer.prepend(earlier.map(fromPage));
    setFirst(earlier[0]?.offset ?? 0);
  }, [buffer, job, task, attempt]);

  return {
    lines: buffer.lines,
    version,
    dropped: buffer.dropped,
    ...state,
    ended,
    connected,
    loadEarlier: first > 0 ? loadEarlier : null,
    retry,
  };
}

export function fromPage(line: LogLine): Line {
  return toLine(Date.parse(line.time), line.stream === 'e', line.text, line.offset);
}
