import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { FileEntry, FileList } from '@/api/files';
import { accessibilityProblems, openConsole } from '@/testing/app';
import { detail, session } from '@/testing/samples';

const entry = (name: string, more: Partial<FileEntry> = {}): FileEntry => ({
  name,
  key: name.replaceAll('%', '%25'),
  kind: 'file',
  size: 2048,
  modified: '2026-05-01T10:00:00Z',
  target: null,
  executable: false,
  ...more,
});
const list = (items: FileEntry[], more: Partial<FileList> = {}): FileList => ({
  state: 'ready',
  live: false,
  items,
  next_cursor: null,
  total: items.length,
  whole: true,
  gone_since: null,
  gone_because: null,
  retention: { size: 2 ** 30, until: '2026-05-08T10:00:00Z', wanted: false },
  inside: null,
  ...more,
});

function open(files: unknown, more: Record<string, unknown> = {}) {
  const job = detail({ actions: ['restart'] });
  return openConsole('/jobs/j1?tab=files', { 'GET session': session, 'GET jobs/j1': job, 'GET jobs/j1/files': files, ...more });
}

describe('the files of a job', () => {
  it('are listed with their sizes, ways to download them, and how long they are kept', async () => {
    open(list([entry('out', { kind: 'folder' }), entry('50%.txt'), entry('latest', { kind: 'link', target: '/etc' })]));
    const download = await screen.findByRole('link', { name: 'Download 50%.txt' });
    expect(new URL(download.getAttribute('href')!).searchParams.get('path')).toBe('50%25.txt');
    expect(screen.getByText('latest → /etc')).toBeTruthy();
    expect(screen.queryByRole('link', { name: 'Download latest' })).toBeNull();
    expect(screen.getByText(/^Kept until .* · 1 GiB$/)).toBeTruthy();
    expect(await accessibilityProblems()).toEqual([]);
  });

  it('are browsed into and out of folders', async () => {
    const asked: string[] = [];
    open(({ query }: { query: URLSearchParams }) => {
      asked.push(query.get('path') ?? '');
      return list(query.get('path') ? [entry('a.txt')] : [entry('out', { kind: 'folder' })]);
    });
    fireEvent.click(await screen.findByRole('button', { name: 'out' }));
    expect(await screen.findByRole('button', { name: 'a.txt' })).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'bert-pretrain' }));
    await waitFor(() => expect(screen.queryByRole('button', { name: 'a.txt' })).toBeNull());
    expect(asked).toContain('out');
  });

  it.each([
    [{ state: 'gone', gone_since: '2026-05-08T10:00:00Z', gone_because: 'age' }, 'The files are gone'],
    [{ state: 'elsewhere' }, 'Not available on this cluster'],
    [{ state: 'not_started' }, 'The job has not started yet'],
    [{ state: 'nothing' }, 'Nothing is there'],
  ] as [Partial<FileList>, string][])('say why there are none: %o', async (more, title) => {
    open(list([], { ...more, retention: null }));
    expect(await screen.findByRole('heading', { name: title })).toBeTruthy();
  });

  it('are kept on request', async () => {
    const { calls } = open(list([entry('a.txt')]), { 'PUT jobs/j1/files/kept': { size: 1, until: null, wanted: true } });
    fireEvent.click(await screen.findByRole('button', { name: 'Keep' }));
    await waitFor(() => expect(calls.filter(({ method }) => method === 'PUT').map(({ path }) => path)).toEqual(['jobs/j1/files/kept']));
  });
});
