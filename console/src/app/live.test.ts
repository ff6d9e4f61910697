import { beforeEach, describe, expect, it, vi } from 'vitest';
import { LiveConnection, retryDelay } from './live';
import type { LogListener } from './live';

class FakeSocket extends EventTarget {
  readyState: number = WebSocket.CONNECTING;
  sent: unknown[] = [];
  send(data: string): void {
    this.sent.push(JSON.parse(data));
  }
  close(): void {
    this.readyState = WebSocket.CLOSED;
    this.dispatchEvent(new Event('close'));
  }
  accept(): void {
    this.readyState = WebSocket.OPEN;
    this.dispatchEvent(new Event('open'));
  }
  tell(message: unknown): void {
    this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(message) }));
  }
}

function make() {
  const sockets: FakeSocket[] = [];
  const topics: string[] = [];
  let turns = 0;
  const live = new LiveConnection({
    url: 'ws://danlu.test/api/v1/live',
    onTopic: (topic) => topics.push(topic),
    onTurn: () => {
      turns += 1;
    },
    random: () => 1,
    open: () => {
      const socket = new FakeSocket();
      sockets.push(socket);
      return socket as unknown as WebSocket;
    },
  });
  return { live, sockets, topics, turns: () => turns };
}

function listener() {
  return {
    lines: vi.fn<LogListener['lines']>(),
    ended: vi.fn<LogListener['ended']>(),
    refused: vi.fn<NonNullable<LogListener['refused']>>(),
    connected: vi.fn<LogListener['connected']>(),
  };
}

describe('the live connection', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });

  it('subscribes what was wanted before it opened', () => {
    const { live, sockets } = make();
    live.want('jobs');
    live.start();
    sockets[0]!.accept();
    expect(sockets[0]!.sent).toEqual([{ subscribe: ['jobs'], logs: {} }]);
  });

  it('tells the server once of a page that swaps its topics', async () => {
    const { live, sockets } = make();
    const leave = live.want('jobs');
    live.start();
    sockets[0]!.accept();
    leave();
    live.want('job:7');
    await vi.advanceTimersByTimeAsync(0);
    expect(sockets[0]!.sent).toEqual([
      { subscribe: ['jobs'], logs: {} },
      { subscribe: ['job:7'], logs: {} },
    ]);
  });

  it('keeps a topic until the last who wants it leaves', async () => {
    const { live, sockets } = make();
    const first = live.want('jobs');
    live.want('jobs');
    live.start();
    sockets[0]!.accept();
    first();
    await vi.advanceTimersByTimeAsync(0);
    expect(sockets[0]!.sent.at(-1)).toEqual({ subscribe: ['jobs'], logs: {} });
  });

  it('passes on the topic of each message', () => {
    const { live, sockets, topics } = make();
    live.start();
    sockets[0]!.accept();
    sockets[0]!.tell({ topic: 'jobs', event: { seq: 1 } });
    sockets[0]!.tell({ pong: true });
    expect(topics).toEqual(['jobs']);
  });

  it('reconnects after a loss and refreshes all that was wanted, since events were missed', async () => {
    const { live, sockets, topics } = make();
    live.want('jobs');
    live.want('nodes');
    live.start();
    sockets[0]!.accept();
    sockets[0]!.close();
    expect(live.status).toBe('lost');
    topics.length = 0;
    await vi.advanceTimersByTimeAsync(500);
    sockets[1]!.accept();
    expect(live.status).toBe('open');
    expect(sockets[1]!.sent).toEqual([{ subscribe: ['jobs', 'nodes'], logs: {} }]);
    expect(topics.sort()).toEqual(['jobs', 'nodes']);
  });

  it('has all that is wanted asked for once when it is lost, so that polling begins', async () => {
    const { live, sockets, topics } = make();
    live.want('jobs');
    live.start();
    sockets[0]!.accept();
    expect(topics).toEqual([]);
    sockets[0]!.close();
    expect(topics).toEqual(['jobs']);
    await vi.advanceTimersByTimeAsync(500);
    sockets[1]!.close();
    expect(topics).toEqual(['jobs']);
  });

  it('tells when it is lost and when it is back, but not of its first opening', async () => {
    const { live, sockets, turns } = make();
    live.start();
    sockets[0]!.accept();
    expect(turns()).toBe(0);
    sockets[0]!.close();
    expect(turns()).toBe(1);
    await vi.advanceTimersByTimeAsync(500);
    sockets[1]!.accept();
    expect(turns()).toBe(2);
  });

  it('tries a server that accepts and closes at once ever less often', async () => {
    const { live, sockets } = make();
    live.start();
    for (const delay of [500, 1000, 2000]) {
      sockets.at(-1)!.accept();
      sockets.at(-1)!.close();
      const before = sockets.length;
      // oxlint-disable-next-line no-await-in-loop -- one try after the other
      await vi.advanceTimersByTimeAsync(delay - 1);
      expect(sockets).toHaveLength(before);
      // oxlint-disable-next-line no-await-in-loop -- one try after the other
      await vi.advanceTimersByTimeAsync(1);
      expect(sockets).toHaveLength(before + 1);
    }
    sockets.at(-1)!.accept();
    await vi.advanceTimersByTimeAsync(5000);
    sockets.at(-1)!.close();
    await vi.advanceTimersByTimeAsync(500);
    expect(sockets).toHaveLength(5);
  });

  it('waits longer after each failure, up to a bound', () => {
    const delays = [0, 1, 2, 3, 10, 50].map((tries) => retryDelay(tries, () => 1));
    expect(delays).toEqual([500, 1000, 2000, 4000, 15_000, 15_000]);
    expect(retryDelay(3, () => 0)).toBe(2000);
  });

  it('tries at once when told that the network is back', async () => {
    const { live, sockets } = make();
    live.start();
    sockets[0]!.close();
    live.hurry();
    expect(sockets).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(sockets).toHaveLength(2);
  });

  it('stays closed once stopped', async () => {
    const { live, sockets } = make();
    live.start();
    sockets[0]!.accept();
    live.stop();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(sockets).toHaveLength(1);
  });

  it('follows a log under a name of its own, and goes on from where it was after a lost connection', async () => {
    const { live, sockets } = make();
    const heard = listener();
    live.start();
    sockets[0]!.accept();
    live.follow({ job: 'j1', task: 'worker-0', offset: 512 }, heard);
    await vi.advanceTimersByTimeAsync(0);
    expect(sockets[0]!.sent.at(-1)).toEqual({ subscribe: [], logs: { 1: { job: 'j1', task: 'worker-0', offset: 512 } } });
    sockets[0]!.tell({ log: '1', lines: [[7, 'o', 'hello']], next: 600 });
    expect(heard.lines).toHaveBeenCalledWith([[7, 'o', 'hello']], 600);
    sockets[0]!.close();
    expect(heard.connected).toHaveBeenLastCalledWith(false);
    await vi.advanceTimersByTimeAsync(1000);
    sockets[1]!.accept();
    expect(heard.connected).toHaveBeenLastCalledWith(true);
    expect(sockets[1]!.sent).toEqual([{ subscribe: [], logs: { 1: { job: 'j1', task: 'worker-0', offset: 600 } } }]);
  });

  it('tells who begins to follow a log whether it is connected', async () => {
    const { live, sockets } = make();
    const [early, open, lost] = [listener(), listener(), listener()];
    live.start();
    live.follow({ job: 'a', offset: 0 }, early);
    expect(early.connected).not.toHaveBeenCalled();
    sockets[0]!.accept();
    live.follow({ job: 'b', offset: 0 }, open);
    expect(open.connected).toHaveBeenLastCalledWith(true);
    sockets[0]!.close();
    live.follow({ job: 'c', offset: 0 }, lost);
    expect(lost.connected).toHaveBeenLastCalledWith(false);
  });

  it('lets go of a log that ended, was refused or is no longer wanted', async () => {
    const { live, sockets } = make();
    const [ended, refused, left] = [listener(), listener(), listener()];
    live.start();
    sockets[0]!.accept();
    live.follow({ job: 'a', offset: 0 }, ended);
    live.follow({ job: 'b', offset: 0 }, refused);
    const leave = live.follow({ job: 'c', offset: 0 }, left);
    sockets[0]!.tell({ log: '1', end: true });
    sockets[0]!.tell({ log: '2', error: 'there is no job b' });
    leave();
    await vi.advanceTimersByTimeAsync(0);
    expect(ended.ended).toHaveBeenCalledOnce();
    expect(refused.refused).toHaveBeenCalledWith('there is no job b');
    expect(sockets[0]!.sent.at(-1)).toEqual({ subscribe: [], logs: {} });
    sockets[0]!.tell({ log: '3', lines: [[7, 'o', 'late']], next: 9 });
    expect(left.lines).not.toHaveBeenCalled();
  });
});
