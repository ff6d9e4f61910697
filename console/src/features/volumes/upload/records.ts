/** Uploads that were begun and not ended, as this browser remembers them: after a reload the same file goes on where it was. */
import { remember, stored } from '@/app/storage';

export interface UploadRecord {
  volume: string;
  path: string;
  size: number;
  /** When the file was changed: another time is another file. */
  modified: number;
  upload: string;
}

/** So many are remembered; the oldest are forgotten. */
const MOST = 500;
const keyFor = (user: string) => `danlu.uploads.${user}`;

export function recordsOf(user: string): UploadRecord[] {
  try {
    const read: unknown = JSON.parse(stored(keyFor(user)) ?? '[]');
    return Array.isArray(read) ? read.filter(isRecord) : [];
  } catch {
    return [];
  }
}

export function keepRecord(user: string, record: UploadRecord): void {
  write(user, [...recordsOf(user).filter((one) => !isSame(one, record)), record].slice(-MOST));
}

export function dropRecord(user: string, record: Pick<UploadRecord, 'volume' | 'path'>): void {
  write(
    user,
    recordsOf(user).filter((one) => !(one.volume === record.volume && one.path === record.path)),
  );
}

/** The upload that was begun for this very file. */
export function begunBefore(records: readonly UploadRecord[], file: Omit<UploadRecord, 'upload'>): string | undefined {
  return records.find((one) => isSame(one, file))?.upload;
}

/** Where a file that is chosen again was going: it has the name, size and time of one that was begun. */
export function placeBefore(records: readonly UploadRecord[], way: string, file: File): string | undefined {
  const found = records.find(
    ({ path, size, modified }) =>
      size === file.size && modified === file.lastModified && (path === way || path.endsWith(`/${way}`) || way.endsWith(`/${path}`)),
  );
  return found?.path;
}

function isSame(a: Omit<UploadRecord, 'upload'>, b: Omit<UploadRecord, 'upload'>): boolean {
  return a.volume === b.volume && a.path === b.path && a.size === b.size && a.modified === b.modified;
}

function isRecord(value: unknown): value is UploadRecord {
  const one = value as Partial<UploadRecord> | null;
  return typeof one === 'object' && typeof one?.volume === 'string' && typeof one.path === 'string' && typeof one.upload === 'string';
}

function write(user: string, records: UploadRecord[]): void {
  remember(keyFor(user), records.length === 0 ? null : JSON.stringify(records));
}
