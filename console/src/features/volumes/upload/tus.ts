/** Sends one file by tus 1.0: in chunks, each with its checksum; after a break it goes on where the server is. */
import { csrfHeader } from '@/api/client';
import { ApiError, problemFrom, unreachable } from '@/api/problem';

export const CHUNK = 8 * 2 ** 20;
/** So small a file is sent with the request that begins its upload. */
export const AT_ONCE = 2 ** 20;
/** So many failures one after the other, and nothing sent between them, end it: after some four minutes. */
const MOST_FAILURES = 10;
const LONGEST_PAUSE_MS = 60_000;

export interface Sending {
  file: Blob;
  /** Where it goes, as the server spells it. */
  path: string;
  /** Where uploads of the volume begin. */
  uploads: string;
  /** When it was changed, in milliseconds; it keeps that time. */
  modified?: number | undefined;
  /** In place of what has this name already. */
  overwrite?: boolean | undefined;
  /** The upload that was begun before, if one was. */
  begun?: string | undefined;
  signal: AbortSignal;
  /** The upload's name, once it has one; undefined when the server has forgotten it. */
  onBegun: (upload: string | undefined) => void;
  /** So many bytes are there. */
  onSent: (bytes: number) => void;
  /** It failed and is tried again by itself. */
  onTrouble?: (cause: unknown) => void;
  pause?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/** Returns when all is there. Throws what more tries would not change, and what the signal was ended with. */
export async function send(sending: Sending): Promise<void> {
  const { file, uploads, begun, signal, onBegun, onSent, onTrouble, pause = wait } = sending;
  let upload = begun;
  let offset: number | undefined;
  let failures = 0;
  const name = (next: string | undefined) => onBegun((upload = next));
  for (;;) {
    try {
      // oxlint-disable no-await-in-loop -- one chunk after the other
      if (upload === undefined) {
        const made = await create(sending);
        name(made.upload);
        offset = made.offset;
      } else if (offset === undefined) offset = await whereIs(`${uploads}/${upload}`, file.size, signal);
      signal.throwIfAborted();
      onSent(offset);
      if (offset >= file.size) return;
      offset = await sendChunk(`${uploads}/${upload}`, file, offset, signal);
      failures = 0;
    } catch (cause) {
      signal.throwIfAborted();
      failures += 1;
      if (!mayPass(cause) || failures > MOST_FAILURES) throw cause;
      if (isGone(cause)) name(undefined);
      // Only the server knows what arrived.
      offset = undefined;
      onTrouble?.(cause);
      await pause(Math.min(LONGEST_PAUSE_MS, 250 * 2 ** failures), signal);
      // oxlint-enable no-await-in-loop
    }
  }
}

/** Gives up an upload; one that is gone already is fine. */
export async function giveUp(uploads: string, upload: string): Promise<void> {
  await request(`${uploads}/${upload}`, { method: 'DELETE', keepalive: true }).catch((cause) => {
    if (!isGone(cause)) throw cause;
  });
}

async function create({ file, path, modified, overwrite, uploads, signal }: Sending): Promise<{ upload: string; offset: number }> {
  const comes = file.size > 0 && file.size <= AT_ONCE;
  const about = { path, ...(modified !== undefined && { modified: String(modified) }), ...(overwrite && { overwrite: 'true' }) };
  const metadata = Object.entries(about).map(([key, value]) => `${key} ${base64(new TextEncoder().encode(value))}`);
  const response = await request(uploads, {
    method: 'POST',
    headers: {
      'Upload-Length': String(file.size),
      'Upload-Metadata': metadata.join(','),
      ...(comes && (await chunkHeaders(file))),
    },
    ...(comes && { body: file }),
    signal,
  });
  // Its last part alone: a proxy may have another name for the rest.
  const upload = (response.headers.get('Location') ?? '')
    .replace(/[?#].*$/, '')
    .split('/')
    .at(-1);
  if (!upload) throw new Error('the server did not say where the upload is');
  return { upload, offset: Number(response.headers.get('Upload-Offset') ?? 0) };
}

async function whereIs(url: string, size: number, signal: AbortSignal): Promise<number> {
  const response = await request(url, { method: 'HEAD', signal });
  const offset = response.headers.get('Upload-Offset');
  const length = response.headers.get('Upload-Length');
  // Something else was begun under this name.
  if (offset === null || (length !== null && Number(length) !== size))
    throw new ApiError(problemFrom(null, new Response(null, { status: 404 })));
  return Number(offset);
}

async function sendChunk(url: string, file: Blob, offset: number, signal: AbortSignal): Promise<number> {
  const chunk = file.slice(offset, offset + CHUNK);
  const headers = { 'Upload-Offset': String(offset), ...(await chunkHeaders(chunk)) };
  const response = await request(url, { method: 'PATCH', headers, body: chunk, signal });
  return Number(response.headers.get('Upload-Offset') ?? offset + chunk.size);
}

/** Browsers compute checksums on secure pages only; elsewhere the connection's own must do. */
async function chunkHeaders(chunk: Blob): Promise<Record<string, string>> {
  const type = { 'Content-Type': 'application/offset+octet-stream' };
  const subtle = (globalThis.crypto as Crypto | undefined)?.subtle as SubtleCrypto | undefined;
  if (!subtle) return type;
  const digest = await subtle.digest('SHA-256', await chunk.arrayBuffer());
  return { ...type, 'Upload-Checksum': `sha256 ${base64(new Uint8Array(digest))}` };
}

async function request(url: string, { headers, ...init }: RequestInit): Promise<Response> {
  const response = await fetch(url, {
    ...init,
    headers: { 'Tus-Resumable': '1.0.0', ...csrfHeader(), ...(headers as Record<string, string> | undefined) },
  }).catch((cause: unknown) => {
    if (cause instanceof DOMException && cause.name === 'AbortError') throw cause;
    throw unreachable();
  });
  if (!response.ok) throw new ApiError(problemFrom(await response.json().catch(() => null), response));
  return response;
}

const statusOf = (cause: unknown): number | undefined => (cause instanceof ApiError ? cause.status : undefined);
const isGone = (cause: unknown): boolean => statusOf(cause) === 404 || statusOf(cause) === 410;
/** No answer; too much at once; another offset than ours; locked by the request before; damaged on the way. */
const PASSING = new Set([0, 404, 408, 409, 410, 423, 425, 429, 460, 500, 502, 503, 504]);

/** Something else has the name: to be asked, not tried again. */
export const isTaken = (cause: unknown): boolean => cause instanceof ApiError && cause.problem.type === 'name_taken';

function mayPass(cause: unknown): boolean {
  const status = statusOf(cause);
  return status !== undefined && PASSING.has(status) && !isTaken(cause);
}

function base64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCodePoint(byte)).join(''));
}

/** Also ends when the network is back. */
function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((done, fail) => {
    const end = (finish: () => void) => () => {
      clearTimeout(timer);
      removeEventListener('online', onTime);
      signal.removeEventListener('abort', onAbort);
      finish();
    };
    const onTime = end(done);
    const onAbort = end(() => fail(signal.reason as Error));
    const timer = setTimeout(onTime, milliseconds);
    addEventListener('online', onTime);
    signal.addEventListener('abort', onAbort);
  });
}
