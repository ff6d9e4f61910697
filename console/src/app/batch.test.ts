import { beforeEach, describe, expect, it, vi } from 'vitest';
import { TopicBatch } from './batch';

function make(options: { hidden?: boolean; serve?: () => Promise<unknown> } = {}) {
  const delivered: string[][] = [];
  const state = { hidden: options.hidden ?? false };
  const batch = new TopicBatch({
    intervalMs: 500,
    isHidden: () => state.hidden,
    deliver: async (topics) => {
      delivered.push([...topics].sort());
      await options.serve?.();
    },
  });
  return { batch, delivered, state };
}

describe('batching of live topics', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: 10_000 });
  });

  it('delivers the first news at once', async () => {
    const { batch, delivered } = make();
    batch.add('jobs');
    await vi.advanceTimersByTimeAsync(0);
    expect(delivered).toEqual([['jobs']]);
  });

  it('gathers a storm of events into one batch per interval', async () => {
    const { batch, delivered } = make();
    for (let index = 0; index < 100; index += 1) {
      batch.add('jobs');
      batch.add(`job:${index % 3}`);
      // oxlint-disable-next-line no-await-in-loop -- time passes between events
      await vi.advanceTimersByTimeAsync(10);
    }
    await vi.advanceTimersByTimeAsync(1000);
    expect(delivered.length).toBeLessThanOrEqual(4);
    expect(delivered.at(-1)).toContain('jobs');
  });

  it('waits while the page is hidden and delivers once when it is back', async () => {
    const { batch, delivered, state } = make({ hidden: true });
    for (let index = 0; index < 50; index += 1) batch.add('jobs');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(delivered).toEqual([]);
    state.hidden = false;
    batch.resume();
    await vi.advanceTimersByTimeAsync(0);
    expect(delivered).toEqual([['jobs']]);
  });

  it('does not begin a batch before the last is served', async () => {
    const waiting: (() => void)[] = [];
    const { batch, delivered } = make({ serve: () => new Promise<void>((resolve) => waiting.push(resolve)) });
    batch.add('jobs');
    await vi.advanceTimersByTimeAsync(0);
    batch.add('nodes');
    await vi.advanceTimersByTimeAsync(5000);
    expect(delivered).toEqual([['jobs']]);
    waiting.pop()!();
    await vi.advanceTimersByTimeAsync(0);
    expect(delivered).toEqual([['jobs'], ['nodes']]);
  });

  it('forgets what is pending when closed', async () => {
    const { batch, delivered } = make();
    batch.add('jobs');
    batch.close();
    await vi.advanceTimersByTimeAsync(5000);
    expect(delivered).toEqual([]);
  });

  it('goes on when the last batch is never served', async () => {
    const { batch, delivered } = make({ serve: () => new Promise(() => undefined) });
    batch.add('jobs');
    await vi.advanceTimersByTimeAsync(0);
    batch.add('nodes');
    await vi.advanceTimersByTimeAsync(9000);
    expect(delivered).toEqual([['jobs']]);
    await vi.advanceTimersByTimeAsync(1500);
    expect(delivered).toEqual([['jobs'], ['nodes']]);
  });
});
