import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { LogListener } from '@/app/live';
import { live } from '@/app/queries';
import { formatAddress, parseAddress, TaskLog } from './task-log';

const followed: { offset: number; listener: LogListener; left: boolean }[] = [];

/** A log of numbered lines of 100 bytes each. */
const SIZE = 100;

function serve(count: number) {
  const asked: URLSearchParams[] = [];
  vi.stubGlobal('fetch', (request: Request) => {
    const query = new URL(request.url).searchParams;
    asked.push(query);
    const tail = query.get('tail');
    const from = tail === null ? Number(query.get('offset')) : Math.max(0, count - Number(tail)) * SIZE;
    const first = Math.ceil(from / SIZE);
    const last = Math.min(count, first + Math.floor(Number(query.get('limit_bytes') ?? 2 ** 20) / SIZE));
    const lines = Array.from({ length: Math.max(0, last - first) }, (_, index) => ({
      offset: (first + index) * SIZE,
      time: '2026-05-01T10:00:00Z',
      stream: 'o',
      text: `line ${first + index}`,
    }));
    return Promise.resolve(Response.json({ lines, next_offset: last * SIZE, end: last >= count }));
  });
  return asked;
}

const logs: TaskLog[] = [];

async function opened(count: number, most?: number) {
  const asked = serve(count);
  const log = new TaskLog({ job: 'j1', task: 'worker-0' }, false, most);
  logs.push(log);
  await log.open();
  return { log, asked };
}

/** Holds answers back until they are let go. */
function slowly() {
  const answer = globalThis.fetch as unknown as (request: Request) => Promise<Response>;
  const waiting: (() => void)[] = [];
  vi.stubGlobal(
    'fetch',
    (request: Request) =>
      new Promise<Response>((resolve) => {
        waiting.push(() => resolve(answer(request)));
      }),
  );
  return async (count = waiting.length) => {
    for (const go of waiting.splice(0, count)) go();
    await new Promise((resolve) => setTimeout(resolve));
  };
}

function hide(hidden: boolean) {
  Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });
  document.dispatchEvent(new Event('visibilitychange'));
}

const texts = (log: TaskLog) => log.buffer.lines.map(({ raw }) => raw);
const at = (log: TaskLog, number: number | null) => log.buffer.lines[number! - log.buffer.base]!.raw;

describe('the log of a task', () => {
  beforeEach(() => {
    followed.length = 0;
    vi.spyOn(live, 'follow').mockImplementation(({ offset }, listener) => {
      const one = { offset, listener, left: false };
      followed.push(one);
      return () => {
        one.left = true;
      };
    });
  });

  afterEach(() => {
    for (const log of logs.splice(0)) log.close();
    vi.useRealTimers();
    Reflect.deleteProperty(document, 'hidden');
  });

  it('begins with its last lines and goes on live', async () => {
    const { log } = await opened(50_000);
    expect(texts(log)).toHaveLength(2000);
    expect(log.hasEarlier).toBe(true);
    expect(log.firstNumber).toBeNull();
    expect(followed[0]!.offset).toBe(50_000 * SIZE);
    followed[0]!.listener.lines(
      [
        [0, 'o', 'live one'],
        [0, 'e', 'live two'],
      ],
      50_000 * SIZE + 60,
    );
    expect(texts(log).slice(-2)).toEqual(['live one', 'live two']);
    expect(log.buffer.lines.slice(-2).map(formatAddress)).toEqual(['5000000', '5000000.1']);
  });

  it('that is not long is fetched whole, so that its lines have numbers', async () => {
    const { log } = await opened(5000);
    await vi.waitFor(() => expect(log.firstNumber).toBe(1));
    expect(texts(log)).toHaveLength(5000);
    expect(await log.earlier()).toBe(false);
  });

  it('numbers its lines once the first was seen', async () => {
    const { log } = await opened(15_000);
    expect(log.firstNumber).toBeNull();
    while (log.hasEarlier) {
      // oxlint-disable-next-line no-await-in-loop -- each step begins where the one before ended
      expect(await log.earlier()).toBe(true);
    }
    expect(texts(log)).toHaveLength(15_000);
    expect(log.firstNumber).toBe(1);
  });

  it('fetches what lies between a wanted line and those on the page', async () => {
    const { log } = await opened(50_000);
    const number = await log.find({ offset: 40_000 * SIZE, nth: 0 });
    expect(at(log, number)).toBe('line 40000');
    expect(texts(log).at(-1)).toBe('line 49999');
    expect(log.state.detached).toBe(false);
  });

  it('moves to a line far away, and back to the end', async () => {
    const { log, asked } = await opened(1_000_000);
    const number = await log.find({ offset: 0, nth: 0 });
    expect(at(log, number)).toBe('line 0');
    expect(log.firstNumber).toBe(1);
    expect(log.state.detached).toBe(true);
    expect(followed[0]!.left).toBe(true);
    expect(asked.length).toBeLessThan(5);
    await log.toEnd();
    expect(texts(log).at(-1)).toBe('line 999999');
    expect(log.state.detached).toBe(false);
  });

  it('reads on from there until the end, which it then follows', async () => {
    const { log } = await opened(200_000);
    await log.find({ offset: 0, nth: 0 });
    let steps = 0;
    while (log.state.detached && steps < 50) {
      // oxlint-disable-next-line no-await-in-loop -- each step begins where the one before ended
      await log.later();
      steps += 1;
    }
    expect(texts(log)).toHaveLength(200_000);
    expect(new Set(texts(log)).size).toBe(200_000);
    expect(followed.at(-1)!.offset).toBe(200_000 * SIZE);
  });

  it('lets the newest lines go when earlier ones fill the page', async () => {
    const { log } = await opened(30_000, 5000);
    await log.earlier();
    expect(log.state.detached).toBe(true);
    expect(texts(log).at(-1)).not.toBe('line 29999');
  });

  it('finds a line by its batch and its place there', async () => {
    const { log } = await opened(100);
    expect(at(log, await log.find(parseAddress('5000.3')))).toBe('line 53');
    expect(await log.find({ offset: 999_900, nth: 0 })).toBeNull();
  });

  it('says so when it cannot be read', async () => {
    vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ title: 'no', status: 403 }, { status: 403 })));
    const log = new TaskLog({ job: 'j1' }, true);
    await log.open();
    expect(log.state.status).toBe('failed');
  });

  it('does not follow what is over', async () => {
    serve(10);
    const log = new TaskLog({ job: 'j1' }, true);
    await log.open();
    expect(log.state.ended).toBe(true);
    expect(followed).toEqual([]);
  });

  it('follows no more once closed', async () => {
    const { log } = await opened(10);
    log.close();
    expect(followed[0]!.left).toBe(true);
  });

  it('does not follow after it was closed, whatever was on its way', async () => {
    const { log } = await opened(15_000);
    await log.find({ offset: 0, nth: 0 });
    while (texts(log).length < 10_000) {
      // oxlint-disable-next-line no-await-in-loop -- each step begins where the one before ended
      await log.later();
    }
    const follows = followed.length;
    const go = slowly();
    const reading = log.later();
    await go(0);
    log.close();
    await go();
    expect(await reading).toBe(false);
    expect(followed).toHaveLength(follows);
  });

  it('opened anew takes nothing from what was asked before', async () => {
    const { log } = await opened(1_000_000);
    await log.find({ offset: 0, nth: 0 });
    const go = slowly();
    const reading = log.later();
    await go(0);
    const reopened = log.toEnd();
    await go(0);
    await go();
    await Promise.all([reading, reopened]);
    expect(texts(log)).toHaveLength(2000);
    expect(texts(log).at(-1)).toBe('line 999999');
    expect(followed.at(-1)!.offset).toBe(1_000_000 * SIZE);
  });

  it('finds a line while something else is being fetched', async () => {
    const { log } = await opened(50_000);
    const go = slowly();
    const reading = log.earlier();
    const finding = log.find({ offset: 20_000 * SIZE, nth: 0 });
    for (let answers = 0; answers < 12; answers += 1) {
      // oxlint-disable-next-line no-await-in-loop -- the next question follows the answer
      await go();
    }
    expect(await reading).toBe(true);
    expect(at(log, await finding)).toBe('line 20000');
  });

  it('goes on from where it was after a short absence', async () => {
    await opened(50_000);
    hide(true);
    expect(followed[0]!.left).toBe(true);
    hide(false);
    expect(followed[1]!.offset).toBe(50_000 * SIZE);
  });

  it('opens at the end after hours, instead of bringing all that was missed', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const { log } = await opened(50_000);
    hide(true);
    vi.advanceTimersByTime(7_200_000);
    serve(5_000_000);
    hide(false);
    await vi.waitFor(() => expect(followed).toHaveLength(2));
    expect(followed[1]!.offset).toBe(5_000_000 * SIZE);
    expect(texts(log)).toHaveLength(2000);
  });

  it('leaves those alone who read in the middle of it meanwhile', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const { log } = await opened(50_000);
    log.stayAtEnd(false);
    hide(true);
    vi.advanceTimersByTime(7_200_000);
    serve(5_000_000);
    hide(false);
    await vi.waitFor(() => expect(log.state.detached).toBe(true));
    expect(texts(log).at(-1)).toBe('line 49999');
  });

  it('that the server tells no more of says so, and can be opened again', async () => {
    const { log } = await opened(10);
    followed[0]!.listener.refused!('you may no longer read this log');
    expect(log.state).toMatchObject({ refused: 'you may no longer read this log', ended: false });
    await log.open();
    expect(log.state.refused).toBeNull();
    expect(followed).toHaveLength(2);
  });
});
