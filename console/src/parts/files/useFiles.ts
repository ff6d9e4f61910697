/** A folder, page by page, in the order of the server. */
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { FileEntry, FileOrder, FilePage } from '@/api/files';
import { listKey } from './source';
import type { FileSource } from './source';

const NONE: FileEntry[] = [];

/** `every`: how often the first page is asked for again. */
export function useFiles<Page extends FilePage>(
  source: FileSource<Page>,
  path: string,
  every: (first: Page) => number | false = () => false,
) {
  const [order, setOrder] = useState<FileOrder>({ sort: 'name', descending: false });
  const pages = useInfiniteQuery({
    queryKey: listKey(source, path, order),
    queryFn: ({ pageParam, signal }) => source.list(path, order, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last: Page) => last.next_cursor ?? undefined,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) => (data?.pages.length === 1 ? every(data.pages[0]!) : false),
  });
  const entries = useMemo(() => pages.data?.pages.flatMap(({ items }) => items) ?? NONE, [pages.data]);
  return { ...pages, first: pages.data?.pages[0], entries, order, setOrder };
}

export type Files<Page extends FilePage> = ReturnType<typeof useFiles<Page>>;
