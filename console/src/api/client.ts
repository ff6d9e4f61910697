/** The one HTTP client: cookies, the CSRF header, and refusals turned into ApiError. */
import createClient from 'openapi-fetch';
import type { Middleware } from 'openapi-fetch';
import { ApiError, problemFrom, unreachable } from './problem';
import type { paths } from './schema';

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Where the server put the console, without a trailing slash: "" or "/danlu". */
export const basePath = new URL(document.baseURI).pathname.replace(/\/[^/]*$/, '');

let csrf: string | null = null;
let onSignedOut: () => void = () => undefined;

export function setCsrf(token: string | null): void {
  csrf = token;
}

/** For requests that are not made by `api`. */
export const csrfHeader = (): Record<string, string> => (csrf === null ? {} : { 'X-CSRF-Token': csrf });

/** Called whenever the server says that nobody is signed in. */
export function whenSignedOut(listener: () => void): void {
  onSignedOut = listener;
}

/** Browsers carry 64 KiB that far, in all; a character is three bytes at most. */
const MOST_TO_CARRY = 16_000;

/** Whether the browser sees a request through though the page is left: what a person did is done, however quickly they go. */
export function outlivesThePage({ method = 'GET', body }: RequestInit): boolean {
  return !SAFE.has(method) && (body == null || (typeof body === 'string' && body.length <= MOST_TO_CARRY));
}

class LastingRequest extends Request {
  constructor(input: RequestInfo | URL, init: RequestInit = {}) {
    super(input, { ...init, keepalive: outlivesThePage(init) });
  }
}

const guard: Middleware = {
  onRequest({ request }) {
    if (csrf && !SAFE.has(request.method)) request.headers.set('X-CSRF-Token', csrf);
    return request;
  },
  onResponse({ response, schemaPath }) {
    if (response.status === 401 && !schemaPath.startsWith('/api/v1/session')) onSignedOut();
    return undefined;
  },
};

export const api = createClient<paths>({
  baseUrl: `${location.origin}${basePath}`,
  credentials: 'same-origin',
  Request: LastingRequest,
  // Looked up at each call, so that tests can answer instead.
  fetch: (request) => globalThis.fetch(request),
  querySerializer: { array: { style: 'form', explode: true } },
});
api.use(guard);

interface Answer<Data> {
  data?: Data;
  error?: unknown;
  response: Response;
}

/** Gives the data of an answer or throws an ApiError; a failed connection throws one too. */
export async function ask<Data>(answer: Promise<Answer<Data>>): Promise<Data> {
  let settled: Answer<Data>;
  try {
    settled = await answer;
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === 'AbortError') throw cause;
    throw unreachable();
  }
  const { data, error, response } = settled;
  if (!response.ok) throw new ApiError(problemFrom(error, response));
  return data as Data;
}

/** For lists that are short by nature: one page holds all of them. */
export const ALL = { params: { query: { limit: 500 } } };

/** What a list answers, without the rest of its page. */
export const askItems = async <Item>(answer: Promise<Answer<{ items: Item[] }>>): Promise<Item[]> => (await ask(answer)).items;

/** The address of an API path, for what openapi-fetch does not do: streams, sockets, downloads. */
export function apiUrl(path: string, query: Record<string, string | number | undefined> = {}): string {
  const url = new URL(`${location.origin}${basePath}/api/v1/${path}`);
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, String(value));
  return url.href;
}
