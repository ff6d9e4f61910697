import { describe, expect, it } from 'vitest';
import { row } from '@/testing/samples';
import { forEach, suited } from './bulk';

const running = row({ id: 'r', state: 'running' });
const queued = row({ id: 'q', state: 'queued' });
const failed = row({ id: 'f', state: 'failed' });

/** Work that is done when told so. */
function controlled() {
  const open = new Map<string, { resolve: () => void; reject: (error: Error) => void }>();
  const started: string[] = [];
  const work = (item: string) =>
    new Promise<void>((resolve, reject) => {
      started.push(item);
      open.set(item, { resolve, reject });
    });
  const settle = async (item: string, error?: Error) => {
    if (error) open.get(item)!.reject(error);
    else open.get(item)!.resolve();
    await new Promise((done) => {
      setTimeout(done);
    });
  };
  return { work, settle, started };
}

describe('one action on many jobs', () => {
  it('is offered for those whose state allows it', () => {
    const all = [running, queued, failed];
    expect(suited(all, 'stop', 'lin')).toEqual([running, queued]);
    expect(suited(all, 'start', 'lin')).toEqual([failed]);
    expect(suited(all, 'restart', 'lin')).toEqual([running]);
    expect(suited(all, 'delete', 'lin')).toEqual([failed]);
  });

  it('starts no jobs of others, though it may stop and delete them', () => {
    const all = [running, failed];
    expect(suited(all, 'start', 'boss')).toEqual([]);
    expect(suited(all, 'restart', 'boss')).toEqual([]);
    expect(suited(all, 'stop', 'boss')).toEqual([running]);
    expect(suited(all, 'delete', 'boss')).toEqual([failed]);
  });

  it('has a few under way at a time', async () => {
    const { work, settle, started } = controlled();
    const all = forEach(['1', '2', '3'], work, { signal: new AbortController().signal, atOnce: 2 });
    expect(started).toEqual(['1', '2']);
    await settle('2');
    expect(started).toEqual(['1', '2', '3']);
    await settle('1');
    await settle('3');
    expect((await all).done.sort()).toEqual(['1', '2', '3']);
  });

  it('goes on after a refusal and tells of it', async () => {
    const seen: number[] = [];
    const outcome = await forEach(['a', 'b', 'c'], (item) => (item === 'b' ? Promise.reject(new Error('no')) : Promise.resolve()), {
      signal: new AbortController().signal,
      atOnce: 1,
      onProgress: ({ done, refused }) => seen.push(done.length + refused.length),
    });
    expect(outcome.done).toEqual(['a', 'c']);
    expect(outcome.refused.map(({ item, error }) => [item, String(error)])).toEqual([['b', 'Error: no']]);
    expect(seen).toEqual([1, 2, 3]);
  });

  it('finishes what is under way when cancelled, and leaves the rest alone', async () => {
    const { work, settle } = controlled();
    const cancel = new AbortController();
    const all = forEach(['1', '2', '3'], work, { signal: cancel.signal, atOnce: 1 });
    cancel.abort();
    await settle('1');
    expect(await all).toEqual({ done: ['1'], refused: [], left: ['2', '3'] });
  });
});
