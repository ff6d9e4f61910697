import { beforeEach, describe, expect, it, vi } from 'vitest';
import { TerminalConnection } from './Terminal-connection';
import type { TerminalQuery, TerminalState } from './Terminal-connection';

class FakeSocket extends EventTarget {
  readyState: number = WebSocket.CONNECTING;
  binaryType = 'blob';
  sent: (string | Uint8Array)[] = [];
  send(data: string | Uint8Array): void {
    this.sent.push(data);
  }
  close(): void {
    this.readyState = WebSocket.CLOSED;
    this.dispatchEvent(new Event('close'));
  }
  accept(session?: object): void {
    this.readyState = WebSocket.OPEN;
    this.dispatchEvent(new Event('open'));
    if (session) this.tell(session);
  }
  tell(message: object): void {
    this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(message) }));
  }
  print(text: string): void {
    this.dispatchEvent(new MessageEvent('message', { data: new TextEncoder().encode(text).buffer }));
  }
}

function make(session?: string) {
  const sockets: FakeSocket[] = [];
  const queries: TerminalQuery[] = [];
  const states: TerminalState[] = [];
  let screen = '';
  const connection = new TerminalConnection(
    { cols: 80, rows: 24 },
    {
      url: (query) => {
        queries.push(query);
        return 'ws://danlu.test/';
      },
      onOutput: (bytes) => {
        screen += new TextDecoder().decode(bytes);
      },
      onState: (state) => states.push(state),
      random: () => 1,
      session,
      open: () => {
        const socket = new FakeSocket();
        sockets.push(socket);
        return socket as unknown as WebSocket;
      },
    },
  );
  return { connection, sockets, queries, states, screen: () => screen };
}

describe('a terminal', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });

  it('shows what is printed and sends what is typed', () => {
    const { connection, sockets, screen } = make();
    sockets[0]!.accept({ terminal: 't1', offset: 0 });
    sockets[0]!.print('$ ');
    connection.write('ls\r');
    expect(screen()).toBe('$ ');
    expect(new TextDecoder().decode(sockets[0]!.sent.at(-1) as Uint8Array)).toBe('ls\r');
  });

  it('tells a new size, once', () => {
    const { connection, sockets } = make();
    sockets[0]!.accept();
    connection.resize({ cols: 80, rows: 24 });
    connection.resize({ cols: 100, rows: 30 });
    expect(sockets[0]!.sent).toEqual(['{"resize":[100,30]}']);
  });

  it('returns to its session after a loss and goes on where it was', async () => {
    const { sockets, queries, states, screen } = make();
    sockets[0]!.accept({ terminal: 't1', offset: 0 });
    sockets[0]!.print('hello');
    sockets[0]!.close();
    expect(states.at(-1)).toEqual({ kind: 'lost' });
    await vi.advanceTimersByTimeAsync(500);
    expect(queries[1]).toEqual({ cols: 80, rows: 24, terminal: 't1', offset: 5 });
    sockets[1]!.accept({ terminal: 't1', offset: 5 });
    sockets[1]!.print(' again');
    expect(screen()).toBe('hello again');
    expect(states.at(-1)).toEqual({ kind: 'open' });
  });

  it('does not repeat what a replay brings once more', async () => {
    const { sockets, screen } = make();
    sockets[0]!.accept({ terminal: 't1', offset: 0 });
    sockets[0]!.print('hello');
    sockets[0]!.close();
    await vi.advanceTimersByTimeAsync(500);
    sockets[1]!.accept({ terminal: 't1', offset: 2 });
    sockets[1]!.print('llo a');
    sockets[1]!.print('gain');
    expect(screen()).toBe('hello again');
  });

  it('counts on from where a replay begins when too much was printed meanwhile', async () => {
    const { sockets, queries } = make();
    sockets[0]!.accept({ terminal: 't1', offset: 0 });
    sockets[0]!.close();
    await vi.advanceTimersByTimeAsync(500);
    sockets[1]!.accept({ terminal: 't1', offset: 1000 });
    sockets[1]!.print('abc');
    sockets[1]!.close();
    await vi.advanceTimersByTimeAsync(500);
    expect(queries[2]!.offset).toBe(1003);
  });

  it('tells the exit code and stays away', async () => {
    const { sockets, states } = make();
    sockets[0]!.accept({ terminal: 't1', offset: 0 });
    sockets[0]!.tell({ exit: 3 });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(states.at(-1)).toEqual({ kind: 'exited', code: 3 });
    expect(sockets).toHaveLength(1);
  });

  it('tells why it was refused', () => {
    const { sockets, states } = make();
    sockets[0]!.accept();
    sockets[0]!.tell({ error: 'the session is over' });
    expect(states.at(-1)).toEqual({ kind: 'refused', sentence: 'the session is over' });
  });

  it('does not begin a new session by itself where there was none to return to', async () => {
    const { sockets, states } = make();
    sockets[0]!.close();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(states.at(-1)).toEqual({ kind: 'refused', sentence: null });
    expect(sockets).toHaveLength(1);
  });

  it('returns to a session that was left before, from its beginning', () => {
    const { connection, sockets, queries, states } = make('t0');
    expect(queries[0]).toEqual({ cols: 80, rows: 24, terminal: 't0', offset: 0 });
    expect(states).toEqual([{ kind: 'connecting' }]);
    sockets[0]!.accept({ terminal: 't0', offset: 0 });
    expect(connection.session).toBe('t0');
  });

  it('begins a new one where the one of before is gone', () => {
    const { connection, sockets, queries, states } = make('t0');
    sockets[0]!.accept();
    sockets[0]!.tell({ error: 'this terminal is gone' });
    expect(queries[1]).toEqual({ cols: 80, rows: 24 });
    sockets[1]!.accept({ terminal: 't1', offset: 0 });
    expect(states.at(-1)).toEqual({ kind: 'open' });
    expect(connection.session).toBe('t1');
  });

  it('does not give up a session of before because a server restarts', async () => {
    const { connection, sockets, queries, states } = make('t0');
    sockets[0]!.close();
    expect(states.at(-1)).toEqual({ kind: 'connecting' });
    await vi.advanceTimersByTimeAsync(1000);
    expect(queries[1]).toEqual({ cols: 80, rows: 24, terminal: 't0', offset: 0 });
    sockets[1]!.accept({ terminal: 't0', offset: 0 });
    expect(connection.session).toBe('t0');
  });

  it('says that a session it had is gone', async () => {
    const { sockets, states } = make();
    sockets[0]!.accept({ terminal: 't1', offset: 0 });
    sockets[0]!.close();
    await vi.advanceTimersByTimeAsync(500);
    sockets[1]!.accept();
    sockets[1]!.tell({ error: 'this terminal no longer exists; open a new one' });
    expect(states.at(-1)).toEqual({ kind: 'gone', sentence: 'this terminal no longer exists; open a new one' });
  });

  it('waits longer and longer for a server that accepts and hangs up', async () => {
    const { sockets } = make();
    sockets[0]!.accept({ terminal: 't1', offset: 0 });
    sockets[0]!.close();
    for (let second = 0; second < 20; second += 1) {
      // oxlint-disable-next-line no-await-in-loop -- one second after the other
      await vi.advanceTimersByTimeAsync(1000);
      const last = sockets.at(-1)!;
      if (last.readyState !== WebSocket.CLOSED) {
        last.accept();
        last.close();
      }
    }
    expect(sockets.length).toBeLessThan(8);
  });

  it('has nothing to return to once it is over', () => {
    const { connection, sockets } = make();
    sockets[0]!.accept({ terminal: 't1', offset: 0 });
    sockets[0]!.tell({ exit: 0 });
    expect(connection.session).toBeUndefined();
  });

  it('tries at once when the network is back', () => {
    const { connection, sockets } = make();
    sockets[0]!.accept({ terminal: 't1', offset: 0 });
    sockets[0]!.close();
    connection.hurry();
    expect(sockets).toHaveLength(2);
  });
});
