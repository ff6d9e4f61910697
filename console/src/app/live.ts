/** The tab's one WebSocket: topics and logs are asked for while something on the page wants them; it reconnects by itself. */
import type { Text } from '@/api/types';
import { sentence } from './i18n';

export type LiveStatus = 'connecting' | 'open' | 'lost';

/** Which log of a job; from `offset` on. */
export interface LogWish {
  job: string;
  task?: string | undefined;
  attempt?: number | undefined;
  offset: number;
}

/** One line as the server sends it: time in milliseconds, "o" for output or "e" for errors, text. */
export type StreamedLine = [time: number, stream: 'o' | 'e', text: string];

export interface LogListener {
  lines(lines: StreamedLine[], nextOffset: number): void;
  ended(): void;
  /** There is no such log, or no longer for this person. */
  refused?(sentence: string): void;
  connected(up: boolean): void;
}

/** What the server says: news of a topic, or of a log by the name we gave it. */
interface Message {
  topic?: string;
  log?: string;
  lines?: StreamedLine[];
  next?: number;
  end?: true;
  error?: string;
  /** The error in both languages. */
  text?: Text;
}

export interface LiveOptions {
  url: string;
  /** A topic has news; also called for every wanted topic when the connection is lost, and when it is back, since events were missed. */
  onTopic: (topic: string) => void;
  /** The connection was refused or dropped, or came back after that; the session may have ended or be another. */
  onTurn?: () => void;
  open?: (url: string) => WebSocket;
  random?: () => number;
}

const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 15_000;
/** A connection that lasted so long was a real one; what accepts and closes at once is tried ever less often. */
const STEADY_MS = 5000;

/** How long to wait before the n-th try (from 0): doubling with jitter, so that tabs do not return all at once. */
export function retryDelay(tries: number, random: () => number): number {
  const ceiling = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** tries);
  return ceiling * (0.5 + random() / 2);
}

export class LiveConnection {
  readonly #options: LiveOptions;
  readonly #wanted = new Map<string, number>();
  readonly #logs = new Map<string, { wish: LogWish; listener: LogListener }>();
  #logCount = 0;
  readonly #listeners = new Set<() => void>();
  #socket: WebSocket | null = null;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #tries = 0;
  #openedAt = 0;
  #wasOpen = false;
  #closed = true;
  #announcing = false;
  #status: LiveStatus = 'connecting';

  constructor(options: LiveOptions) {
    this.#options = options;
  }

  get status(): LiveStatus {
    return this.#status;
  }

  readonly watchStatus = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  start(): void {
    if (!this.#closed) return;
    this.#closed = false;
    this.#connect();
  }

  stop(): void {
    this.#closed = true;
    clearTimeout(this.#retry);
    this.#socket?.close();
    this.#socket = null;
    this.#wasOpen = false;
    this.#tries = 0;
    this.#setStatus('connecting');
  }

  /** Tries at once, for example when the browser says that the network is back. */
  hurry(): void {
    if (this.#closed || this.#socket) return;
    clearTimeout(this.#retry);
    this.#connect();
  }

  /** Subscribes a topic until the returned function is called. */
  want(topic: string): () => void {
    this.#wanted.set(topic, (this.#wanted.get(topic) ?? 0) + 1);
    this.#announce();
    return () => {
      const left = (this.#wanted.get(topic) ?? 1) - 1;
      if (left > 0) this.#wanted.set(topic, left);
      else this.#wanted.delete(topic);
      this.#announce();
    };
  }

  /**
   * Follows a log until it ends or the returned function is called; after a lost connection from where it was. Whether it is connected is
   * told at once, where that is known.
   */
  follow(wish: LogWish, listener: LogListener): () => void {
    this.#logCount += 1;
    const name = String(this.#logCount);
    this.#logs.set(name, { wish: { ...wish }, listener });
    this.#announce();
    if (this.#status !== 'connecting') listener.connected(this.#status === 'open');
    return () => {
      if (this.#logs.delete(name)) this.#announce();
    };
  }

  #connect(): void {
    const open = this.#options.open ?? ((url: string) => new WebSocket(url));
    const socket = open(this.#options.url);
    this.#socket = socket;
    socket.addEventListener('open', () => this.#opened());
    socket.addEventListener('message', (message: MessageEvent<string>) => this.#received(message.data));
    socket.addEventListener('close', () => {
      if (this.#socket === socket) this.#lost();
    });
  }

  #opened(): void {
    this.#openedAt = Date.now();
    this.#setStatus('open');
    this.#send();
    if (this.#wasOpen) {
      this.#refreshAll();
      this.#options.onTurn?.();
    }
    this.#wasOpen = true;
    for (const { listener } of this.#logs.values()) listener.connected(true);
  }

  #received(data: string): void {
    const message = JSON.parse(data) as Message;
    if (message.topic !== undefined) this.#options.onTopic(message.topic);
    else if (message.log !== undefined) this.#told(message.log, message);
  }

  #told(name: string, { lines, next, end, error, text }: Message): void {
    const log = this.#logs.get(name);
    // What was on its way when we lost interest.
    if (!log) return;
    if (lines && next !== undefined) {
      log.wish.offset = next;
      log.listener.lines(lines, next);
      return;
    }
    this.#logs.delete(name);
    this.#announce();
    if (end) log.listener.ended();
    else log.listener.refused?.(text ? sentence(text) : (error ?? ''));
  }

  #lost(): void {
    this.#socket = null;
    if (this.#closed) return;
    const wasOpen = this.#status === 'open';
    if (wasOpen && Date.now() - this.#openedAt >= STEADY_MS) this.#tries = 0;
    this.#setStatus('lost');
    // Whoever polls without us decides so when asking, so all ask once.
    if (wasOpen) this.#refreshAll();
    for (const { listener } of this.#logs.values()) listener.connected(false);
    this.#options.onTurn?.();
    const delay = retryDelay(this.#tries, this.#options.random ?? Math.random);
    this.#tries += 1;
    this.#retry = setTimeout(() => this.#connect(), delay);
  }

  #refreshAll(): void {
    for (const topic of this.#wanted.keys()) this.#options.onTopic(topic);
  }

  /** Pages that change swap several topics in one turn; the server hears of the result only. */
  #announce(): void {
    if (this.#announcing) return;
    this.#announcing = true;
    queueMicrotask(() => {
      this.#announcing = false;
      this.#send();
    });
  }

  #send(): void {
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    const logs = Object.fromEntries([...this.#logs].map(([name, { wish }]) => [name, wish]));
    this.#socket.send(JSON.stringify({ subscribe: [...this.#wanted.keys()].sort(), logs }));
  }

  #setStatus(status: LiveStatus): void {
    if (status === this.#status) return;
    this.#status = status;
    for (const listener of this.#listeners) listener();
  }
}
