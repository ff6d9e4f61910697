/** The whole console on a page of a test, with a server that answers from a table. */
import { createMemoryHistory } from '@tanstack/react-router';
import { render } from '@testing-library/react';
import axe from 'axe-core';
import { vi } from 'vitest';
import { queryClient } from '@/app/queries';
import { Root } from '@/app/frame/Root';
import { makeRouter } from '@/app/router';

/** "GET jobs" → what the server answers: a body, or a status with a body. */
export type Answers = Record<string, unknown>;

export class Refusal {
  readonly status: number;
  readonly body: unknown;
  constructor(status: number, body: unknown) {
    this.status = status;
    this.body = body;
  }
}

export interface Call {
  method: string;
  path: string;
  query: URLSearchParams;
  body: unknown;
  headers: Headers;
}

/** No transitions, and no styles: every look at an element computes what it inherits, and of that nothing is ever asked. */
const BARE = { env: 'test', withCssVariables: false, withGlobalClasses: false } as const;

/** Opens the console at an address; gives the calls it made. */
export function openConsole(address: string, answers: Answers): { calls: Call[]; address: () => string } {
  const calls: Call[] = [];
  vi.stubGlobal('fetch', async (request: Request) => {
    const url = new URL(request.url);
    const path = url.pathname.replace('/api/v1/', '');
    const text = await request.clone().text();
    calls.push({
      method: request.method,
      path,
      query: url.searchParams,
      body: text ? JSON.parse(text) : undefined,
      headers: request.headers,
    });
    const known = answers[`${request.method} ${path}`];
    const answer = typeof known === 'function' ? await (known as (call: Call) => unknown)(calls.at(-1)!) : known;
    if (answer === undefined) return json(404, { type: 'not_found', title: 'Not found', detail: `no answer for ${path}` });
    return answer instanceof Refusal ? json(answer.status, answer.body) : json(200, answer);
  });
  vi.stubGlobal('WebSocket', SilentSocket);
  queryClient.clear();
  const router = makeRouter(createMemoryHistory({ initialEntries: [address] }));
  render(<Root router={router} kit={BARE} />);
  return { calls, address: () => router.history.location.href };
}

/** What axe finds wrong, apart from colours, which need a real browser. */
export async function accessibilityProblems(): Promise<string[]> {
  const { violations } = await axe.run(document.body, { rules: { 'color-contrast': { enabled: false } } });
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' | ')}`);
}

class SilentSocket extends EventTarget {
  static readonly OPEN = 1;
  readonly readyState = 0;
  send(): void {}
  close(): void {}
}

function json(status: number, body: unknown): Response {
  return new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json' } });
}
