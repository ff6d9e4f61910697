/** Moving one's own jobs: at once on the screen, one call after the other, taken back with the server's words if it refuses. */
import { useEffect, useMemo, useRef, useState } from 'react';
import { orderJob } from '@/api/queue';
import type { QueueItem } from '@/api/queue';
import { useT } from '@/app/i18n';
import { notify } from '@/app/notify';
import { errorText } from '@/ui/page/States';
import { arranged, linesByJob, linesOf, moveTo, placed, standsAs } from '../lines';
import type { Line } from '../lines';
import { refreshQueue } from '../useQueue';

/** By then the next decision was made; whatever it says is shown. */
const BELIEVE_MS = 8000;

export interface Turns {
  /** The line of each job of one's own that can change turns, as wanted. */
  lines: ReadonlyMap<string, Line>;
  /** Places as they will be once the server has decided again. */
  asWanted: (items: QueueItem[]) => QueueItem[];
  /** To a place in the line as the person saw it. */
  move: (line: Line, job: string, to: number) => void;
}

export function useTurns(mine: QueueItem[]): Turns {
  const t = useT();
  const [wanted, setWanted] = useState<Line[]>([]);
  const calls = useRef(Promise.resolve());
  const refusals = useRef(0);

  // What the server has come to agree with need not be held against it any longer.
  const open = useMemo(() => wanted.filter((line) => !standsAs(mine, line)), [wanted, mine]);
  useEffect(() => {
    if (wanted.length === 0) return undefined;
    const timer = setTimeout(() => setWanted([]), BELIEVE_MS);
    return () => clearTimeout(timer);
  }, [wanted]);

  const asWanted = useMemo(() => (items: QueueItem[]) => open.reduce<QueueItem[]>((now, line) => arranged(now, line), items), [open]);
  const lines = useMemo(() => linesByJob(linesOf(asWanted(mine))), [asWanted, mine]);

  const move = (line: Line, job: string, to: number): void => {
    const order = moveTo(line, job, to);
    if (!order) return;
    setWanted([...open.filter((other) => !other.includes(job)), placed(line, job, to)]);
    const seen = refusals.current;
    calls.current = orLeaving(calls.current).then(async () => {
      // A move was meant from where the one before would have led.
      if (refusals.current !== seen) return;
      try {
        await orderJob(order.job, order.beside);
      } catch (error) {
        refusals.current += 1;
        setWanted([]);
        notify({ bad: true, title: t('queue.notMoved'), message: errorText(error, t) });
      }
      refreshQueue();
    });
  };
  return { lines, asWanted, move };
}

/** The one before is waited for, but not by whoever leaves the page: their moves go out in order, and at once. */
function orLeaving(before: Promise<void>): Promise<void> {
  return new Promise((go) => {
    const leave = () => go();
    addEventListener('pagehide', leave, { once: true });
    void before.then(() => {
      removeEventListener('pagehide', leave);
      go();
    });
  });
}
