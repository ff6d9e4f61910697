/** A terminal's connection: bytes both ways, the same session again after a loss. */
import type { Text } from '@/api/types';
import { sentence } from '@/app/i18n';
import { retryDelay } from '@/app/live';

export interface TerminalSize {
  cols: number;
  rows: number;
}

export interface TerminalQuery extends TerminalSize {
  /** The session to return to, and how many bytes of its output were seen. */
  terminal?: string;
  offset?: number;
}

export type TerminalState =
  | { kind: 'connecting' }
  | { kind: 'open' }
  /** It is tried again by itself. */
  | { kind: 'lost' }
  | { kind: 'exited'; code: number }
  /** The server's sentence; null where the connection went and cannot be resumed. */
  | { kind: 'refused'; sentence: string | null }
  /** The server's sentence on why the session cannot be returned to. */
  | { kind: 'gone'; sentence: string };

export interface TerminalOptions {
  url: (query: TerminalQuery) => string;
  onOutput: (bytes: Uint8Array) => void;
  onState: (state: TerminalState) => void;
  /** One that was left before: returned to, if it is still there. */
  session?: string | undefined;
  open?: (url: string) => WebSocket;
  random?: () => number;
}

/** What the server says beside output. */
interface Control {
  terminal?: string;
  offset?: number;
  exit?: number;
  error?: string;
  /** The error in both languages. */
  text?: Text;
}

const MOST_TRIES_TO_RETURN = 4;

const encoder = new TextEncoder();

export class TerminalConnection {
  readonly #options: TerminalOptions;
  #size: TerminalSize;
  #socket: WebSocket | null = null;
  #session: string | undefined;
  #seen = 0;
  /** Bytes of a replay that are on the screen already. */
  #skip = 0;
  #tries = 0;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #over = false;
  /** Whether the session answered since it was left before. */
  #returned = false;
  /** Whether this connection has the session. */
  #attached = false;

  constructor(size: TerminalSize, options: TerminalOptions) {
    this.#size = size;
    this.#options = options;
    this.#session = options.session;
    this.#connect();
  }

  /** What to return to later; nothing once it is over. */
  get session(): string | undefined {
    return this.#over ? undefined : this.#session;
  }

  write(text: string): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(encoder.encode(text));
  }

  resize(size: TerminalSize): void {
    if (size.cols === this.#size.cols && size.rows === this.#size.rows) return;
    this.#size = size;
    this.#tellSize();
  }

  /** Tries at once, for example when the browser says that the network is back. */
  hurry(): void {
    if (this.#over || this.#socket) return;
    clearTimeout(this.#retry);
    this.#connect();
  }

  close(): void {
    this.#over = true;
    clearTimeout(this.#retry);
    this.#socket?.close();
    this.#socket = null;
  }

  #connect(): void {
    const { url, open = (address: string) => new WebSocket(address), onState } = this.#options;
    const again = this.#session === undefined ? {} : { terminal: this.#session, offset: this.#seen };
    onState({ kind: this.#returned ? 'lost' : 'connecting' });
    const socket = open(url({ ...this.#size, ...again }));
    socket.binaryType = 'arraybuffer';
    this.#attached = false;
    this.#socket = socket;
    socket.addEventListener('open', () => this.#opened());
    socket.addEventListener('message', ({ data }: MessageEvent<string | ArrayBuffer>) => {
      if (typeof data === 'string') this.#told(JSON.parse(data) as Control);
      else this.#output(new Uint8Array(data));
    });
    socket.addEventListener('close', () => {
      if (this.#socket === socket) this.#lost();
    });
  }

  #opened(): void {
    this.#options.onState({ kind: 'open' });
  }

  #output(bytes: Uint8Array): void {
    const known = Math.min(this.#skip, bytes.length);
    this.#skip -= known;
    this.#seen += bytes.length - known;
    if (known < bytes.length) this.#options.onOutput(bytes.subarray(known));
  }

  #told({ terminal, offset, exit, error, text }: Control): void {
    if (terminal !== undefined) {
      this.#session = terminal;
      this.#returned = true;
      this.#attached = true;
      // Not when it opens: who accepts and hangs up at once is not asked again without a pause.
      this.#tries = 0;
      // What was printed meanwhile may begin before what we saw, or after, if too much was.
      this.#skip = Math.max(0, this.#seen - (offset ?? 0));
      this.#seen = Math.max(this.#seen, offset ?? 0);
      // The window may have changed while the connection was away.
      this.#tellSize();
    }
    if (exit !== undefined) this.#end({ kind: 'exited', code: exit });
    else if (error !== undefined && this.#forgotten()) this.#anew();
    else if (error !== undefined)
      this.#end({ kind: this.#returned && !this.#attached ? 'gone' : 'refused', sentence: text ? sentence(text) : error });
  }

  #end(state: TerminalState): void {
    this.close();
    this.#options.onState(state);
  }

  #lost(): void {
    this.#socket = null;
    if (this.#over) return;
    // A server that restarts hangs up as well: only a few losses in a row, or its word, mean that the session is gone.
    if (this.#forgotten() && this.#tries >= MOST_TRIES_TO_RETURN) {
      this.#anew();
      return;
    }
    if (this.#session === undefined) {
      this.#end({ kind: 'refused', sentence: null });
      return;
    }
    this.#options.onState({ kind: this.#returned ? 'lost' : 'connecting' });
    this.#retry = setTimeout(() => this.#connect(), retryDelay(this.#tries, this.#options.random ?? Math.random));
    this.#tries += 1;
  }

  /** The session of before has not answered. */
  #forgotten(): boolean {
    return this.#session !== undefined && !this.#returned;
  }

  #anew(): void {
    this.#session = undefined;
    this.#tries = 0;
    const left = this.#socket;
    this.#socket = null;
    left?.close();
    this.#connect();
  }

  #tellSize(): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify({ resize: [this.#size.cols, this.#size.rows] }));
  }
}
