import { afterEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '@/api/problem';
import { AT_ONCE, CHUNK, send } from './tus';

const UPLOADS = 'http://danlu.test/api/v1/volumes/v1/uploads';
const file = (size: number) => new File([new Uint8Array(size).map((_, at) => at % 251)], 'data.bin', { lastModified: 1000 });

type Answer = number | 'cut' | ((server: Server) => void);

/** A server that keeps what it gets; `plan` says what goes wrong with which request, the rest goes well. */
class Server {
  content = new Uint8Array();
  length: number | null = null;
  about: string[] = [];
  readonly seen: string[] = [];
  #plan: Record<string, Answer[]>;
  constructor(plan: Record<string, Answer[]> = {}) {
    this.#plan = plan;
    vi.stubGlobal('fetch', (url: string, init: RequestInit) => this.#answer(url, init));
  }

  async #answer(url: string, { method = 'GET', headers, body }: RequestInit): Promise<Response> {
    const said = new Headers(headers);
    this.seen.push(`${method} ${said.get('Upload-Offset') ?? ''}`.trim());
    if (said.get('Tus-Resumable') !== '1.0.0') return new Response(null, { status: 412 });
    const trouble = this.#plan[method]?.shift();
    if (typeof trouble === 'function') trouble(this);
    else if (trouble === 'cut') throw new TypeError('network');
    else if (trouble !== undefined) return new Response(JSON.stringify({ type: 'refused', detail: 'no room' }), { status: trouble });
    if (method === 'POST') {
      if (url !== UPLOADS) return new Response(null, { status: 400 });
      this.length = Number(said.get('Upload-Length'));
      this.about = said
        .get('Upload-Metadata')!
        .split(',')
        .map((pair) => `${pair.split(' ')[0]!} ${atob(pair.split(' ')[1]!)}`);
      this.content = new Uint8Array();
      await this.#take(body as Blob | undefined);
      return this.#told(201, { Location: `/behind/a/proxy/uploads/u1` });
    }
    if (this.length === null) return new Response(null, { status: 404 });
    if (url !== `${UPLOADS}/u1`) return new Response(null, { status: 400 });
    if (method === 'HEAD') return this.#told(200, { 'Upload-Length': String(this.length) });
    if (Number(said.get('Upload-Offset')) !== this.content.length) return new Response(null, { status: 409 });
    const digest = await crypto.subtle.digest('SHA-256', await (body as Blob).arrayBuffer());
    const right = `sha256 ${btoa(String.fromCodePoint(...new Uint8Array(digest)))}`;
    if (said.get('Upload-Checksum') !== right) return new Response(null, { status: 400 });
    await this.#take(body as Blob);
    return this.#told(204);
  }

  async #take(body: Blob | undefined): Promise<void> {
    const bytes = new Uint8Array(body ? await body.arrayBuffer() : new ArrayBuffer());
    const all = new Uint8Array(this.content.length + bytes.length);
    all.set(this.content);
    all.set(bytes, this.content.length);
    this.content = all;
  }

  #told(status: number, headers: Record<string, string> = {}): Response {
    return new Response(null, { status, headers: { 'Upload-Offset': String(this.content.length), ...headers } });
  }
}

function sending(wanted: File, more: { begun?: string; stop?: AbortController } = {}) {
  const told = { begun: [] as (string | undefined)[], sent: [] as number[], pauses: [] as number[] };
  const done = send({
    file: wanted,
    path: 'a/data.bin',
    modified: wanted.lastModified,
    uploads: UPLOADS,
    begun: more.begun,
    signal: (more.stop ?? new AbortController()).signal,
    onBegun: (upload) => told.begun.push(upload),
    onSent: (bytes) => told.sent.push(bytes),
    pause: async (milliseconds) => void told.pauses.push(milliseconds),
  });
  return { ...told, done };
}

afterEach(() => vi.unstubAllGlobals());

describe('an upload by tus', () => {
  it('sends a small file with the request that begins it', async () => {
    const server = new Server();
    await sending(file(AT_ONCE)).done;
    expect(server.seen).toEqual(['POST']);
    expect(server.content).toHaveLength(AT_ONCE);
    expect(server.about).toEqual(['path a/data.bin', 'modified 1000']);
  });

  it('makes an empty file', async () => {
    const server = new Server();
    await sending(file(0)).done;
    expect(server.seen).toEqual(['POST']);
  });

  it('sends a large one in chunks, and tells how much is there', async () => {
    const server = new Server();
    const { sent, begun, done } = sending(file(CHUNK + 5));
    await done;
    expect(server.seen).toEqual(['POST', 'PATCH 0', `PATCH ${CHUNK}`]);
    expect(sent).toEqual([0, CHUNK, CHUNK + 5]);
    expect(begun).toEqual(['u1']);
    expect(server.content.at(-1)).toBe((CHUNK + 4) % 251);
  });

  it('goes on where the server is after a reload', async () => {
    const server = new Server();
    server.length = CHUNK + 5;
    server.content = new Uint8Array(CHUNK);
    await sending(file(CHUNK + 5), { begun: 'u1' }).done;
    expect(server.seen).toEqual(['HEAD', `PATCH ${CHUNK}`]);
  });

  it('asks where the server is when a chunk is cut off or stands at the wrong place', async () => {
    const server = new Server({
      // The first arrived and its answer was lost; before the second somebody else sent it.
      PATCH: [
        'cut',
        (one) => {
          one.content = new Uint8Array(CHUNK);
        },
      ],
    });
    const { pauses, done } = sending(file(2 * CHUNK));
    await done;
    expect(server.seen).toEqual(['POST', 'PATCH 0', 'HEAD', 'PATCH 0', 'HEAD', `PATCH ${CHUNK}`]);
    expect(pauses).toEqual([500, 1000]);
  });

  it('waits longer after each failure, and begins counting anew once something was sent', async () => {
    const server = new Server({ PATCH: ['cut', 503, 429] });
    const { pauses, done } = sending(file(CHUNK + 5));
    await done;
    expect(pauses).toEqual([500, 1000, 2000]);
    expect(server.content).toHaveLength(CHUNK + 5);
  });

  it('begins anew where the server has forgotten it, or it was another file', async () => {
    const server = new Server();
    const { begun, done } = sending(file(AT_ONCE + 1), { begun: 'u1' });
    await done;
    expect(server.seen).toEqual(['HEAD', 'POST', 'PATCH 0']);
    expect(begun).toEqual([undefined, 'u1']);
    const other = new Server();
    other.length = 7;
    await sending(file(AT_ONCE + 1), { begun: 'u1' }).done;
    expect(other.seen).toEqual(['HEAD', 'POST', 'PATCH 0']);
  });

  it.each([403, 413, 422, 507])('does not try again what %s refuses', async (status) => {
    const server = new Server({ POST: [status] });
    await expect(sending(file(5)).done).rejects.toThrow('no room');
    expect(server.seen).toEqual(['POST']);
  });

  it('does not try again what has its name taken', async () => {
    const server = new Server();
    vi.stubGlobal('fetch', async () => {
      server.seen.push('POST');
      return new Response(JSON.stringify({ type: 'name_taken', detail: 'exists already' }), { status: 409 });
    });
    await expect(sending(file(5)).done).rejects.toThrow('exists already');
    expect(server.seen).toHaveLength(1);
  });

  it('gives up after many failures in a row', async () => {
    const server = new Server({ POST: Array<Answer>(20).fill('cut') });
    await expect(sending(file(5)).done).rejects.toBeInstanceOf(ApiError);
    expect(server.seen).toHaveLength(11);
  });

  it('ends when it is told to', async () => {
    const stop = new AbortController();
    const server = new Server({ PATCH: [() => stop.abort()] });
    await expect(sending(file(2 * CHUNK), { stop }).done).rejects.toMatchObject({ name: 'AbortError' });
    expect(server.seen).toEqual(['POST', 'PATCH 0']);
  });
});
