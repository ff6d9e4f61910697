/** Which rows are on the screen. The table says so many times a second, so this is no React state: who cares, watches. */

export class RowsInView {
  first = 0;
  last = 0;
  readonly #watchers = new Set<() => void>();

  readonly set = (first: number, last: number): void => {
    if (first === this.first && last === this.last) return;
    this.first = first;
    this.last = last;
    for (const watcher of this.#watchers) watcher();
  };

  readonly watch = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  };
}
