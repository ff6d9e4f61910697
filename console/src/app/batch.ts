/**
 * Collects live topics and hands them over in batches: never while hidden, never while the last batch is still being served (within
 * bounds).
 */

export interface BatchOptions {
  /** Least time between two batches. */
  intervalMs: number;
  isHidden: () => boolean;
  deliver: (topics: ReadonlySet<string>) => Promise<unknown>;
}

/** An answer that does not come must not hold up all others for ever. */
const LONGEST_SERVICE_MS = 10_000;

export class TopicBatch {
  readonly #options: BatchOptions;
  #pending = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #busy = false;
  #lastAt = Number.NEGATIVE_INFINITY;

  constructor(options: BatchOptions) {
    this.#options = options;
  }

  add(topic: string): void {
    this.#pending.add(topic);
    this.#plan();
  }

  /** Call when the page becomes visible again: what gathered meanwhile is delivered once. */
  resume(): void {
    this.#plan();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#pending.clear();
  }

  #plan(): void {
    if (this.#timer !== undefined || this.#busy || this.#pending.size === 0 || this.#options.isHidden()) return;
    const wait = Math.max(0, this.#lastAt + this.#options.intervalMs - Date.now());
    this.#timer = setTimeout(() => void this.#deliver(), wait);
  }

  async #deliver(): Promise<void> {
    this.#timer = undefined;
    if (this.#options.isHidden()) return;
    const topics = this.#pending;
    this.#pending = new Set();
    this.#busy = true;
    this.#lastAt = Date.now();
    try {
      await Promise.race([this.#options.deliver(topics), passed(LONGEST_SERVICE_MS)]);
    } finally {
      this.#busy = false;
      this.#plan();
    }
  }
}

function passed(time: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, time);
  });
}
