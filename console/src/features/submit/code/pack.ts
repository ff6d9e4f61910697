/** A code folder as one tar.gz, made in a stream: only what is compressed is held. */
import { Sha256 } from './sha256';
import type { CodeFolder } from './folder';

export interface Packed {
  digest: string;
  body: Blob;
}

const BLOCK = 512;
const text = new TextEncoder();

export const canPack = (): boolean => typeof CompressionStream === 'function';

/** `progress` is told how many bytes of the folder are packed. */
export async function pack(folder: CodeFolder, progress: (done: number) => void, signal: AbortSignal): Promise<Packed> {
  const digest = new Sha256();
  const seen = new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, on) {
      digest.add(piece);
      on.enqueue(piece);
    },
  });
  const zipped = streamOf(tar(folder, progress, signal))
    .pipeThrough(new CompressionStream('gzip') as TransformStream)
    .pipeThrough(seen);
  const body = await new Response(zipped as ReadableStream<Uint8Array<ArrayBuffer>>).blob();
  signal.throwIfAborted();
  return { digest: digest.hex(), body };
}

/** ReadableStream.from is not everywhere yet. */
function streamOf(pieces: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(on) {
      const { value, done } = await pieces.next();
      if (done) on.close();
      else on.enqueue(value);
    },
    async cancel() {
      await pieces.return(undefined);
    },
  });
}

async function* tar({ files }: CodeFolder, progress: (done: number) => void, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  let packed = 0;
  for (const { path, file } of files) {
    signal.throwIfAborted();
    // A program says so in its first bytes; browsers do not tell whether a file may be run.
    // oxlint-disable-next-line no-await-in-loop -- one file after the other, as they stand in the archive
    const runs = (await file.slice(0, 2).text()) === '#!';
    yield header(path, file.size, runs ? 0o755 : 0o644);
    let size = 0;
    const reader = file.stream().getReader();
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop
      const { value, done } = await reader.read();
      if (done) break;
      size += value.length;
      packed += value.length;
      progress(packed);
      yield value;
    }
    if (size !== file.size) throw new Error(`${path} changed while it was read`);
    yield new Uint8Array((BLOCK - (size % BLOCK)) % BLOCK);
  }
  yield new Uint8Array(2 * BLOCK);
}

/** A name that is long or not ASCII stands in a header of its own before. */
export function header(path: string, size: number, mode: number): Uint8Array {
  const plain = /^[\x20-\x7e]{1,100}$/.test(path);
  if (plain) return block(path, size, mode, '0');
  const record = paxRecord('path', path);
  const name = 'pax/header';
  const padded = new Uint8Array(Math.ceil(record.length / BLOCK) * BLOCK);
  padded.set(record);
  return joined([block(name, record.length, 0o644, 'x'), padded, block('file', size, mode, '0')]);
}

/** Its own length is part of it: `30 path=…`. */
function paxRecord(key: string, value: string): Uint8Array {
  const rest = text.encode(` ${key}=${value}\n`);
  let length = rest.length + 1;
  while (String(length).length + rest.length !== length) length += 1;
  return joined([text.encode(String(length)), rest]);
}

const octal = (value: number, digits: number): string => `${value.toString(8).padStart(digits, '0')}\0`;

function block(name: string, size: number, mode: number, type: string): Uint8Array {
  const made = new Uint8Array(BLOCK);
  const put = (value: string, at: number) => made.set(text.encode(value), at);
  put(name, 0);
  put(octal(mode, 7), 100);
  put(octal(0, 7), 108);
  put(octal(0, 7), 116);
  put(octal(size, 11), 124);
  put(octal(0, 11), 136);
  put('        ', 148);
  put(type, 156);
  put('ustar\u000000', 257);
  const sum = made.reduce((total, byte) => total + byte, 0);
  put(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return made;
}

function joined(parts: Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((total, { length }) => total + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
