import { beforeEach, describe, expect, it, vi } from 'vitest';
import { followLog } from './logs';
import type { LogListener } from './logs';

class FakeEventSource extends EventTarget {
  static opened: FakeEventSource[] = [];
  readonly url: URL;
  closed = false;
  constructor(url: string) {
    super();
    this.url = new URL(url);
    FakeEventSource.opened.push(this);
  }
  close(): void {
    this.closed = true;
  }
  send(type: string, data: unknown, lastEventId = ''): void {
    this.dispatchEvent(new MessageEvent(type, { data: JSON.stringify(data), lastEventId }));
  }
}

function listener() {
  return { lines: vi.fn<LogListener['lines']>(), ended: vi.fn<LogListener['ended']>(), connected: vi.fn<LogListener['connected']>() };
}

describe('following a log', () => {
  beforeEach(() => {
    FakeEventSource.opened = [];
    vi.stubGlobal('EventSource', FakeEventSource);
    vi.useFakeTimers();
  });

  it('begins where it is told', () => {
    followLog({ job: 'j1', task: 'worker-0', attempt: 2 }, 512, listener());
    const { url } = FakeEventSource.opened[0]!;
    expect(url.pathname).toBe('/api/v1/jobs/j1/logs');
    expect(Object.fromEntries(url.searchParams)).toEqual({ task: 'worker-0', attempt: '2', offset: '512', follow: 'true' });
  });

  it('goes on from the last offset after a lost connection', async () => {
    followLog({ job: 'j1' }, 0, listener());
    FakeEventSource.opened[0]!.send('lines', [[1, 'o', 'hello']], '40');
    FakeEventSource.opened[0]!.dispatchEvent(new Event('error'));
    await vi.advanceTimersByTimeAsync(3000);
    expect(FakeEventSource.opened[0]!.closed).toBe(true);
    expect(FakeEventSource.opened[1]!.url.searchParams.get('offset')).toBe('40');
  });

  it('stops at the end', async () => {
    const heard = listener();
    followLog({ job: 'j1' }, 0, heard);
    FakeEventSource.opened[0]!.send('end', {});
    await vi.advanceTimersByTimeAsync(60_000);
    expect(heard.ended).toHaveBeenCalledOnce();
    expect(FakeEventSource.opened).toHaveLength(1);
  });

  it('does not come back once it was left', async () => {
    const leave = followLog({ job: 'j1' }, 0, listener());
    leave();
    FakeEventSource.opened[0]!.dispatchEvent(new Event('error'));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(FakeEventSource.opened).toHaveLength(1);
  });
});
