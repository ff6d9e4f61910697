/** The log of one task as a window that moves over it: its last lines first, then live, others when they are wanted. */
import { readBetween, readLog, tailLog } from '@/api/logs';
import type { LogLine, LogSource } from '@/api/logs';
import { followLog } from '@/app/queries';
import { LineBuffer, toLine } from '@/ui/log/log-lines';
import type { Line } from '@/ui/log/log-lines';

const FIRST_TAIL = 2000;
/** So much is fetched in front of the first line at once. */
const EARLIER_BYTES = 2 ** 20;
/** Up to here, what lies between a wanted line and those on the page is fetched; beyond, the window moves there. */
const WIDEST_GAP = 16 * 2 ** 20;
const MARGIN_BYTES = 2 ** 16;
/** After a longer absence the end is looked up first: hours of lines must not stream in. */
const SHORT_ABSENCE_MS = 60_000;

/** A line of the log: where it or its batch begins, and its place in the batch. */
export interface LineAddress {
  offset: number;
  nth: number;
}

export interface LogState {
  status: 'loading' | 'failed' | 'ready';
  error: unknown;
  /** The task ended and everything it printed was told. */
  ended: boolean;
  /** The server's sentence, where it tells no more of this log. */
  refused: string | null;
  connected: boolean;
  /** The window is not at the log's end. */
  detached: boolean;
}

const AT_FIRST: LogState = { status: 'loading', error: null, ended: false, refused: null, connected: true, detached: false };

export class TaskLog {
  readonly buffer: LineBuffer;
  state: LogState = AT_FIRST;
  readonly #source: LogSource;
  readonly #finished: boolean;
  readonly #listeners = new Set<() => void>();
  #atEnd = true;
  /** Of this opening: what an earlier one began must not touch what is shown now. */
  #aborter = new AbortController();
  /** The fetch under way. */
  #work: Promise<void> | null = null;
  #unfollow: (() => void) | null = null;
  /** Where the live lines go on. */
  #next = 0;
  #hiddenAt: number | null = null;
  /** The number of the log's very first line, once that was seen. */
  #firstOfAll: number | null = null;

  /** `finished`: nothing will be printed any more. */
  constructor(source: LogSource, finished: boolean, most?: number) {
    this.#source = source;
    this.#finished = finished;
    this.buffer = new LineBuffer(most);
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly snapshot = (): LogState => this.state;

  get hasEarlier(): boolean {
    const first = this.buffer.lines[0];
    return first !== undefined && (first.offset > 0 || first.nth > 0);
  }

  /** What the first line counts; null where that is not known. */
  get firstNumber(): number | null {
    return this.#firstOfAll === null ? null : this.buffer.base - this.#firstOfAll + 1;
  }

  /** Whoever stays at the end need not be told what was missed while the page was hidden. */
  stayAtEnd(on: boolean): void {
    this.#atEnd = on;
  }

  async open(): Promise<void> {
    this.close();
    this.#aborter = new AbortController();
    this.#work = null;
    const { signal } = this.#aborter;
    this.#set(AT_FIRST);
    try {
      const page = await tailLog(this.#source, FIRST_TAIL, signal);
      if (signal.aborted) return;
      this.#begin(page.lines);
      this.#next = page.next_offset;
      this.#set({ ...AT_FIRST, status: 'ready', ended: page.end && this.#finished });
      this.#hiddenAt = document.hidden ? Date.now() : null;
      this.#follow();
      document.addEventListener('visibilitychange', this.#seen);
      void this.#numbered();
    } catch (error) {
      if (!signal.aborted) this.#set({ ...AT_FIRST, status: 'failed', error });
    }
  }

  close(): void {
    this.#aborter.abort();
    this.#leave();
    document.removeEventListener('visibilitychange', this.#seen);
  }

  /** Fetches lines in front of the first; tells whether there were any. */
  async earlier(): Promise<boolean> {
    const first = this.buffer.lines[0];
    if (!first || !this.hasEarlier || this.#work) return false;
    return this.#alone((signal) => this.#fetchFrom(Math.max(0, first.offset - EARLIER_BYTES), signal));
  }

  /** Fetches lines behind the last of a window that is not at the end. */
  async later(): Promise<boolean> {
    const last = this.buffer.lines.at(-1);
    if (!last || !this.state.detached || this.#work) return false;
    return this.#alone(async (signal) => {
      const page = await readLog(this.#source, last.offset, signal);
      if (signal.aborted) return;
      const fresh = page.lines.slice(last.nth + 1);
      this.buffer.append(fresh.map(fromPage));
      if (fresh.length > 0 && !page.end) return;
      this.#next = page.next_offset;
      this.#set({ ...this.state, detached: false, ended: page.end && this.#finished });
      this.#follow();
    });
  }

  /** The number of a line, fetched if need be; null if there is no such line. */
  async find(address: LineAddress): Promise<number | null> {
    const known = this.#numberOf(address);
    if (known !== null) return known;
    await this.#alone(async (signal) => {
      // What was fetched meanwhile may hold it.
      if (this.#numberOf(address) !== null) return;
      const first = this.buffer.lines[0];
      const from = Math.max(0, address.offset - MARGIN_BYTES);
      if (first && address.offset <= first.offset && first.offset - from <= WIDEST_GAP) await this.#fetchFrom(from, signal);
      else await this.#moveTo(from, signal);
    });
    return this.#numberOf(address);
  }

  /** Back to the newest lines. */
  async toEnd(): Promise<void> {
    if (this.state.detached) await this.open();
  }

  /** Of a log that is not long all lines are fetched: then they have numbers, and the errors are counted. */
  async #numbered(): Promise<void> {
    const first = this.buffer.lines[0];
    // Whoever wants them later can still ask for them.
    if (first && first.offset <= EARLIER_BYTES) await this.earlier().catch(() => false);
  }

  async #fetchFrom(from: number, signal: AbortSignal): Promise<void> {
    const first = this.buffer.lines[0]!;
    const lines = (await readBetween(this.#source, from, first.offset, signal)).map(fromPage);
    // The first line may stand in the middle of a batch whose beginning has left.
    if (first.nth > 0) lines.push(...(await readLog(this.#source, first.offset, signal)).lines.slice(0, first.nth).map(fromPage));
    if (signal.aborted || this.buffer.lines[0] !== first) return;
    if (this.buffer.prepend(lines)) this.#detach();
    if (lines[0]?.offset === 0) this.#firstOfAll = this.buffer.base;
  }

  async #moveTo(from: number, signal: AbortSignal): Promise<void> {
    const page = await readLog(this.#source, from, signal);
    if (signal.aborted) return;
    this.#begin(page.lines.filter((line) => line.offset > from || from === 0));
    this.#detach();
  }

  #begin(lines: LogLine[]): void {
    this.buffer.reset(lines.map(fromPage));
    this.#firstOfAll = (lines[0]?.offset ?? 0) === 0 ? this.buffer.base : null;
  }

  #numberOf({ offset, nth }: LineAddress): number | null {
    const { lines, base } = this.buffer;
    let low = 0;
    let high = lines.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (lines[middle]!.offset < offset) low = middle + 1;
      else high = middle;
    }
    // Inside a batch only the batch's place is known.
    if (low > 0 && lines[low]?.offset !== offset) while (low > 0 && lines[low - 1]!.nth > 0 && lines[low - 1]!.offset <= offset) low -= 1;
    const index = low + nth;
    const outside =
      lines.length === 0 || lines[0]!.offset > offset || index >= lines.length || (this.state.detached && lines.at(-1)!.offset < offset);
    return outside ? null : base + index;
  }

  #detach(): void {
    this.#leave();
    this.#set({ ...this.state, status: 'ready', detached: true, ended: false });
  }

  /** One after the other; tells whether it was done. Of a log that is closed or opened anew nothing comes through. */
  async #alone(work: (signal: AbortSignal) => Promise<void>): Promise<boolean> {
    const { signal } = this.#aborter;
    const before = this.#work;
    const own = (async () => {
      await before?.catch(() => undefined);
      if (!signal.aborted) await work(signal);
    })();
    this.#work = own;
    try {
      await own;
      return !signal.aborted;
    } catch (error) {
      if (signal.aborted) return false;
      throw error;
    } finally {
      if (this.#work === own) this.#work = null;
    }
  }

  #follow(): void {
    const { ended, refused, detached, status } = this.state;
    if (this.#aborter.signal.aborted || this.#unfollow || ended || refused !== null || detached || status !== 'ready' || document.hidden)
      return;
    this.#unfollow = followLog(this.#source, this.#next, {
      lines: (lines, next) => {
        const batch = this.#next;
        this.#next = next;
        this.buffer.append(lines.map(([time, stream, text], nth) => toLine(time, stream === 'e', text, batch, nth)));
      },
      ended: () => this.#set({ ...this.state, ended: true }),
      refused: (sentence) => {
        this.#leave();
        this.#set({ ...this.state, refused: sentence });
      },
      connected: (connected) => connected !== this.state.connected && this.#set({ ...this.state, connected }),
    });
  }

  #leave(): void {
    this.#unfollow?.();
    this.#unfollow = null;
  }

  /** A hidden page follows nothing: it would only grow. */
  readonly #seen = () => {
    if (document.hidden) {
      this.#hiddenAt ??= Date.now();
      this.#leave();
      return;
    }
    const away = this.#hiddenAt === null ? 0 : Date.now() - this.#hiddenAt;
    this.#hiddenAt = null;
    if (away > SHORT_ABSENCE_MS) void this.#catchUp();
    else this.#follow();
  };

  /** Goes on from where it was if little was missed; else at the end, or where the reader is. */
  async #catchUp(): Promise<void> {
    const { signal } = this.#aborter;
    const { ended, detached } = this.state;
    const page = ended || detached ? null : await tailLog(this.#source, FIRST_TAIL, signal).catch(() => null);
    if (signal.aborted) return;
    const missed = page?.lines[0] !== undefined && page.lines[0].offset > this.#next;
    if (!missed) this.#follow();
    else if (this.#atEnd) await this.open();
    else this.#detach();
  }

  #set(state: LogState): void {
    this.state = state;
    for (const listener of this.#listeners) listener();
  }
}

export function fromPage(line: LogLine): Line {
  return toLine(Date.parse(line.time), line.stream === 'e', line.text, line.offset);
}

export const parseAddress = (text: string): LineAddress => {
  const [offset = '0', nth = '0'] = text.split('.');
  return { offset: Number(offset), nth: Number(nth) };
};

export const formatAddress = ({ offset, nth }: LineAddress): string => (nth > 0 ? `${offset}.${nth}` : String(offset));
