/** The uploads of this tab: three files at a time, the rest wait. They go on while one visits other pages. */
import { AT_ONCE, giveUp, isTaken, send } from './tus';
import { begunBefore, dropRecord, keepRecord, recordsOf } from './records';

export type UploadState = 'waiting' | 'sending' | 'paused' | 'failed' | 'done';

export interface Upload {
  id: number;
  volume: string;
  path: string;
  size: number;
  sent: number;
  state: UploadState;
  /** Why it failed, or why it is tried again. */
  error: unknown;
}

/** What the panel draws; another object after every change. */
export interface UploadsNow {
  /** Those worth a row, at most `MOST_SHOWN`: under way, failed, then the rest. */
  shown: readonly Upload[];
  count: number;
  done: number;
  failed: number;
  paused: number;
  /** Of those that failed: their names are taken. */
  taken: number;
  /** Waiting or under way. */
  open: number;
  size: number;
  sent: number;
}

export interface NewUpload {
  volume: string;
  path: string;
  file: File;
}

interface Held {
  now: Upload;
  file: File;
  upload: string | undefined;
  overwrite: boolean;
  stop: AbortController | undefined;
}

interface Options {
  /** Whose they are. */
  user: string;
  /** Where uploads of a volume begin. */
  uploads: (volume: string) => string;
  /** Some files of a volume are there. */
  arrived: (volume: string) => void;
  /** Tests have their own. */
  sender?: typeof send;
}

const AT_A_TIME = 3;
const MOST_SHOWN = 60;
/** In the order of their rows. */
const STATES: readonly UploadState[] = ['sending', 'failed', 'paused', 'waiting', 'done'];
/** Draws and refreshes at most so often. */
const DRAW_MS = 200;
const ARRIVED_MS = 1_000;

export class UploadQueue {
  readonly #options: Options;
  /** By where they go; there may be a hundred thousand. */
  readonly #held = new Map<string, Held>();
  readonly #waiting = new Set<Held>();
  readonly #sending = new Set<Held>();
  readonly #listeners = new Set<() => void>();
  readonly #arrived = new Map<string, ReturnType<typeof setTimeout>>();
  #now: UploadsNow = sumOf([]);
  #drawing: ReturnType<typeof setTimeout> | undefined;
  #last = 0;

  constructor(options: Options) {
    this.#options = options;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly now = (): UploadsNow => this.#now;

  /** Whether this visit knows an upload to there. */
  holds(volume: string, path: string): boolean {
    return this.#held.has(placeOf({ volume, path }));
  }

  add(files: readonly NewUpload[]): void {
    const known = recordsOf(this.#options.user);
    for (const { volume, path, file } of files) {
      const twin = this.#held.get(placeOf({ volume, path }));
      if (twin && twin.now.state !== 'done' && twin.now.state !== 'failed') continue;
      const id = (this.#last += 1);
      const now: Upload = { id, volume, path, size: file.size, sent: 0, state: 'waiting', error: null };
      const upload = begunBefore(known, { volume, path, size: file.size, modified: file.lastModified });
      const held: Held = { now, file, upload, overwrite: false, stop: undefined };
      this.#held.set(placeOf(now), held);
      this.#waiting.add(held);
    }
    this.#step();
  }

  /** One, or all that are open. */
  pause(id?: number): void {
    for (const held of this.#some(id, 'waiting', 'sending')) {
      this.#leave(held);
      this.#set(held, { state: 'paused' });
    }
    this.#step();
  }

  /** One, or all that are paused or failed. */
  resume(id?: number): void {
    for (const held of this.#some(id, 'paused', 'failed')) {
      this.#waiting.add(held);
      this.#set(held, { state: 'waiting', error: null });
    }
    this.#step();
  }

  /** One, or all whose names are taken: in place of what has them. */
  replace(id?: number): void {
    for (const held of this.#some(id, 'failed').filter(({ now }) => isTaken(now.error))) {
      this.#giveUp(held);
      held.overwrite = true;
      this.resume(held.now.id);
    }
  }

  /** One, or all that are not there yet; what was sent of them is given up. */
  cancel(id?: number): void {
    for (const held of this.#some(id, 'waiting', 'sending', 'paused', 'failed')) {
      this.#leave(held);
      this.#held.delete(placeOf(held.now));
      this.#giveUp(held);
    }
    this.#step();
  }

  /** Forgets those that are there. */
  clear(): void {
    for (const held of this.#some(undefined, 'done')) this.#held.delete(placeOf(held.now));
    this.#step();
  }

  #some(id: number | undefined, ...states: UploadState[]): Held[] {
    return [...this.#held.values()].filter(({ now }) => (id === undefined || now.id === id) && states.includes(now.state));
  }

  #giveUp(held: Held): void {
    const { upload, now } = held;
    if (upload === undefined) return;
    dropRecord(this.#options.user, now);
    held.upload = undefined;
    void giveUp(this.#options.uploads(now.volume), upload).catch(() => undefined);
  }

  #leave(held: Held): void {
    held.stop?.abort();
    this.#waiting.delete(held);
    this.#sending.delete(held);
  }

  #step(): void {
    for (const held of this.#waiting) {
      if (this.#sending.size >= AT_A_TIME) break;
      this.#waiting.delete(held);
      this.#sending.add(held);
      void this.#send(held);
    }
    this.#draw();
  }

  async #send(held: Held): Promise<void> {
    const { uploads, sender = send, user } = this.#options;
    const { volume, path } = held.now;
    const stop = new AbortController();
    held.stop = stop;
    this.#set(held, { state: 'sending', error: null });
    try {
      await sender({
        file: held.file,
        path,
        uploads: uploads(volume),
        begun: held.upload,
        modified: held.file.lastModified,
        overwrite: held.overwrite,
        signal: stop.signal,
        onBegun: (upload) => this.#begun(held, upload),
        onSent: (sent) => this.#set(held, { sent, error: null }),
        onTrouble: (error) => this.#set(held, { error }),
      });
      if (held.file.size > AT_ONCE) dropRecord(user, held.now);
      this.#set(held, { state: 'done', sent: held.now.size, error: null });
      this.#tellArrived(volume);
    } catch (error) {
      if (!stop.signal.aborted) this.#set(held, { state: 'failed', error });
    }
    if (held.stop === stop) this.#sending.delete(held);
    this.#step();
  }

  #begun(held: Held, upload: string | undefined): void {
    held.upload = upload;
    const { volume, path, size } = held.now;
    // What is sent at once leaves nothing to go on with.
    if (size <= AT_ONCE) return;
    if (upload === undefined) dropRecord(this.#options.user, held.now);
    else keepRecord(this.#options.user, { volume, path, size, modified: held.file.lastModified, upload });
  }

  #set(held: Held, part: Partial<Upload>): void {
    held.now = { ...held.now, ...part };
    this.#draw();
  }

  #draw(): void {
    if (this.#drawing !== undefined) return;
    this.#drawing = setTimeout(() => {
      this.#drawing = undefined;
      this.#now = sumOf([...this.#held.values()].map(({ now }) => now));
      for (const listener of this.#listeners) listener();
    }, DRAW_MS);
  }

  #tellArrived(volume: string): void {
    if (this.#arrived.has(volume)) return;
    const tell = () => {
      this.#arrived.delete(volume);
      this.#options.arrived(volume);
    };
    this.#arrived.set(volume, setTimeout(tell, ARRIVED_MS));
  }
}

const placeOf = ({ volume, path }: { volume: string; path: string }): string => `${volume}\n${path}`;

function sumOf(all: readonly Upload[]): UploadsNow {
  const by = Object.fromEntries(STATES.map((state) => [state, [] as Upload[]])) as Record<UploadState, Upload[]>;
  let size = 0;
  let sent = 0;
  for (const one of all) {
    by[one.state].push(one);
    size += one.size;
    sent += one.sent;
  }
  return {
    shown: STATES.flatMap((state) => by[state].slice(0, MOST_SHOWN)).slice(0, MOST_SHOWN),
    count: all.length,
    done: by.done.length,
    failed: by.failed.length,
    paused: by.paused.length,
    taken: by.failed.filter(({ error }) => isTaken(error)).length,
    open: by.waiting.length + by.sending.length,
    size,
    sent,
  };
}
