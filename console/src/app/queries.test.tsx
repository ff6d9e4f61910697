import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { act, render } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { clusterKeys } from '@/api/clusters';
import { jobKeys } from '@/api/jobs';
import { nodeKeys } from '@/api/nodes';
import { queueKeys } from '@/api/queue';
import { resourceKeys } from '@/api/resources';
import { keysOfAll, live, pollWithoutLive, queryClient, useLive } from './queries';

const sockets: FakeSocket[] = [];

class FakeSocket extends EventTarget {
  static readonly OPEN = 1;
  readyState = 0;
  constructor() {
    super();
    sockets.push(this);
  }
  send(): void {}
  close(): void {}
  is(type: 'open' | 'close'): void {
    this.readyState = type === 'open' ? 1 : 3;
    this.dispatchEvent(new Event(type));
  }
}

const pass = (time: number) => act(() => vi.advanceTimersByTimeAsync(time));

afterEach(() => {
  live.stop();
  queryClient.clear();
  sockets.length = 0;
});

describe('what topics make stale', () => {
  it('is named once, however many topics name it', () => {
    expect(keysOfAll(['nodes', 'queue', 'job:7'])).toEqual([
      clusterKeys.all,
      nodeKeys.all,
      resourceKeys.all,
      queueKeys.all,
      jobKeys.one('7'),
    ]);
    expect(keysOfAll(['unknown'])).toEqual([]);
  });

  it('is what is free, too, when somebody has left the queue', () => {
    expect(keysOfAll(['queue'])).toEqual([queueKeys.all, resourceKeys.all]);
  });
});

describe('a list without the live connection', () => {
  it('is asked for again and again as soon as the connection is lost, and left alone once it is back', async () => {
    vi.useFakeTimers();
    vi.stubGlobal('WebSocket', FakeSocket);
    const asked = vi.fn<() => number>(() => 1);
    const List = () => {
      useLive('nodes');
      useQuery({ queryKey: nodeKeys.all, queryFn: asked, refetchInterval: pollWithoutLive });
      return null;
    };
    live.start();
    sockets[0]!.is('open');
    render(
      <QueryClientProvider client={queryClient}>
        <List />
      </QueryClientProvider>,
    );
    await pass(60_000);
    expect(asked).toHaveBeenCalledTimes(1);
    sockets[0]!.is('close');
    await pass(46_000);
    expect(asked.mock.calls.length).toBeGreaterThanOrEqual(4);
    sockets.at(-1)!.is('open');
    await pass(1000);
    const before = asked.mock.calls.length;
    await pass(60_000);
    expect(asked).toHaveBeenCalledTimes(before);
  });
});
