import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError, unreachable } from '@/api/problem';
import { chosenFiles, spelled } from './gather';
import { UploadQueue } from './queue';
import { placeBefore, recordsOf } from './records';
import type { Sending } from './tus';

const MIB = 2 ** 20;
const file = (name: string, size = 2 * MIB) => new File([new Uint8Array(size)], name, { lastModified: 1000 });

/** Sends when the test says so. */
class Hands {
  readonly under: (Sending & { finish: () => void; fail: (cause: unknown) => void })[] = [];
  readonly send = (sending: Sending) =>
    new Promise<void>((finish, fail) => {
      this.under.push({ ...sending, finish, fail });
      sending.signal.addEventListener('abort', () => fail(new DOMException('', 'AbortError')));
      sending.onBegun(`u-${sending.path}`);
    });
}

let hands: Hands;
const arrived = vi.fn<(volume: string) => void>();
const make = () => new UploadQueue({ user: 'lin', uploads: (volume) => `http://x/${volume}`, arrived, sender: hands.send });
const add = (queue: UploadQueue, ...names: string[]) => queue.add(names.map((name) => ({ volume: 'v1', path: name, file: file(name) })));
const settle = () => vi.advanceTimersByTimeAsync(300);

beforeEach(() => {
  vi.useFakeTimers();
  localStorage.clear();
  hands = new Hands();
  arrived.mockClear();
  vi.stubGlobal(
    'fetch',
    vi.fn(async () => new Response(null, { status: 204 })),
  );
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('the uploads', () => {
  it('are sent three at a time; the next begins when one is there, and the folder is asked for again', async () => {
    const queue = make();
    add(queue, 'a', 'b', 'c', 'd');
    expect(hands.under.map(({ path }) => path)).toEqual(['a', 'b', 'c']);
    hands.under[0]!.finish();
    await settle();
    expect(hands.under.map(({ path }) => path)).toEqual(['a', 'b', 'c', 'd']);
    expect(queue.now()).toMatchObject({ count: 4, done: 1, open: 3, size: 8 * MIB });
    await vi.advanceTimersByTimeAsync(1000);
    expect(arrived.mock.calls).toEqual([['v1']]);
  });

  it('pause and go on where they were', async () => {
    const queue = make();
    add(queue, 'a');
    hands.under[0]!.onSent(5);
    queue.pause();
    await settle();
    expect(hands.under[0]!.signal.aborted).toBe(true);
    expect(queue.now()).toMatchObject({ paused: 1, open: 0, sent: 5 });
    queue.resume();
    expect(hands.under[1]).toMatchObject({ path: 'a', begun: 'u-a' });
  });

  it('are remembered until they are there, for the same file after a reload', async () => {
    add(make(), 'a');
    expect(recordsOf('lin')).toEqual([{ volume: 'v1', path: 'a', size: 2 * MIB, modified: 1000, upload: 'u-a' }]);
    expect(recordsOf('wang')).toEqual([]);
    const later = make();
    add(later, 'a');
    expect(hands.under[1]!.begun).toBe('u-a');
    hands.under[1]!.finish();
    await settle();
    expect(recordsOf('lin')).toEqual([]);
  });

  it('are found again by name, size and time when they are chosen again, wherever they went', () => {
    const records = [{ volume: 'v1', path: 'deep/set/a.bin', size: 2 * MIB, modified: 1000, upload: 'u' }];
    expect(placeBefore(records, 'a.bin', file('a.bin'))).toBe('deep/set/a.bin');
    expect(placeBefore(records, 'set/a.bin', file('a.bin'))).toBe('deep/set/a.bin');
    expect(placeBefore(records, 'ba.bin', file('ba.bin'))).toBeUndefined();
    expect(placeBefore(records, 'a.bin', file('a.bin', 5))).toBeUndefined();
  });

  it('tell why one failed, and try it again when asked', async () => {
    const queue = make();
    add(queue, 'a');
    hands.under[0]!.fail(unreachable());
    await settle();
    expect(queue.now().failed).toBe(1);
    expect(queue.now().shown[0]!.error).toBeInstanceOf(ApiError);
    queue.resume();
    await settle();
    expect(queue.now()).toMatchObject({ failed: 0, open: 1 });
  });

  it('take the place of what has their name only when one says so', async () => {
    const queue = make();
    add(queue, 'a');
    hands.under[0]!.fail(new ApiError({ type: 'name_taken', title: '', status: 409, detail: null, errors: [] }));
    await settle();
    expect(queue.now()).toMatchObject({ failed: 1, taken: 1 });
    queue.replace();
    expect(hands.under[1]).toMatchObject({ path: 'a', overwrite: true, begun: undefined });
  });

  it('that are cancelled are given up on the server and forgotten here', async () => {
    const queue = make();
    add(queue, 'a', 'b');
    queue.cancel(queue.now().shown[0]?.id ?? 1);
    await settle();
    expect(fetch).toHaveBeenCalledWith('http://x/v1/u-a', expect.objectContaining({ method: 'DELETE' }));
    expect(recordsOf('lin').map(({ path }) => path)).toEqual(['b']);
    expect(queue.now().count).toBe(1);
  });

  it('count the same file once', () => {
    const queue = make();
    add(queue, 'a');
    add(queue, 'a');
    expect(hands.under).toHaveLength(1);
  });
});

describe('names', () => {
  it('are spelled as the server spells them', () => {
    expect(spelled('50%.txt')).toBe('50%25.txt');
    expect(spelled('a\nb')).toBe('a%0Ab');
    expect(spelled('数据 1.csv')).toBe('数据 1.csv');
    expect(chosenFiles([file('x%')])[0]!.way).toBe('x%25');
  });
});
