/** Where files are that somebody browses: of a job, of a volume. */
import type { QueryKey } from '@tanstack/react-query';
import type { FileOrder, FilePage } from '@/api/files';
import type { RowsPreview } from '@/api/volumes';

export interface FileSource<Page extends FilePage = FilePage> {
  /** What names it in the cache. */
  key: QueryKey;
  /** What the uppermost folder is called. */
  name: string;
  list: (path: string, order: FileOrder, cursor: string | undefined, signal: AbortSignal) => Promise<Page>;
  /** Where the browser downloads a file from, or a folder as an archive. */
  url: (path: string) => string;
  /** The first rows of a file of rows, where the server reads them. */
  rows?: (path: string, signal: AbortSignal) => Promise<RowsPreview>;
}

export const listKey = ({ key }: FileSource, path: string, order: FileOrder): QueryKey => [...key, 'list', path, order];
