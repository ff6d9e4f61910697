import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { jobKeys } from '@/api/jobs';
import type { JobRow } from '@/api/jobs';
import { queryClient } from '@/app/queries';
import { sizeOf } from '@/parts/jobs/size';
import { accessibilityProblems, openConsole, Refusal } from '@/testing/app';
import type { Answers, Call } from '@/testing/app';
import { detail, row, session } from '@/testing/samples';

vi.mock('@/parts/jobs/size', async (original) => {
  const real = await original<typeof import('@/parts/jobs/size')>();
  return { ...real, sizeOf: vi.fn<typeof real.sizeOf>(real.sizeOf) };
});

/** A server with a list of jobs, the newest first; its cursors are the ids of rows. */
class Server {
  jobs: JobRow[];
  calls: Call[] = [];
  broken = false;

  constructor(count: number) {
    this.jobs = Array.from({ length: count }, (_, index) => job(count - index));
  }

  list({ query }: Call) {
    if (this.broken) return new Refusal(400, { detail: 'The database is locked.' });
    const after = query.get('cursor');
    const from = after === null ? 0 : this.jobs.findIndex(({ id }) => id === after) + 1;
    const items = this.jobs.slice(from, from + Number(query.get('limit')));
    const more = from + items.length < this.jobs.length;
    return { items: structuredClone(items), total: this.jobs.length, next_cursor: more ? items.at(-1)!.id : null };
  }

  change(number: number, part: Partial<JobRow>) {
    this.jobs = this.jobs.map((one) => (one.id === `j${number}` ? { ...one, ...part } : one));
  }

  /** Cursors and sizes of what was asked of the list since the last time. */
  asked(): string[] {
    // The frame asks for what ended lately.
    const asked = this.calls
      .filter(({ path, query }) => path === 'jobs' && query.get('sort') !== '-ended')
      .map(({ query }) => `${query.get('cursor') ?? 'top'} ${query.get('limit')}`);
    this.calls.length = 0;
    return asked;
  }
}

const job = (number: number, part: Partial<JobRow> = {}) => row({ id: `j${number}`, name: `job-${number}`, ...part });

async function open(count: number, answers: Answers = {}, address = '/jobs') {
  const server = new Server(count);
  const opened = openConsole(address, { 'GET session': session, 'GET jobs': (call: Call) => server.list(call), ...answers });
  server.calls = opened.calls;
  await screen.findByRole('link', { name: `job-${count}` });
  return { server, ...opened };
}

const table = () => screen.getByRole('region', { name: 'Jobs' });
const line = (number: number) => screen.getByRole('link', { name: `job-${number}` }).closest('tr')!;
const box = (number: number) => screen.getByRole<HTMLInputElement>('checkbox', { name: `Select job-${number}` });

function scrollTo(index: number) {
  table().scrollTop = index * 40;
  fireEvent.scroll(table());
}

/** What a live event does. */
const news = () =>
  act(async () => {
    await queryClient.invalidateQueries({ queryKey: jobKeys.all });
    await new Promise((drawn) => {
      setTimeout(drawn, 20);
    });
  });

beforeEach(() => localStorage.clear());

describe('the long list', () => {
  it('loads page after page as one scrolls, and says where one is', async () => {
    const { server } = await open(10_000);
    expect(screen.getByText(/^1–\d+ of 10,000$/)).toBeTruthy();
    expect(server.asked()).toEqual(['top 200']);
    scrollTo(150);
    await waitFor(() => expect(server.asked()).toEqual(['j9801 200']));
    expect(screen.getByText(/^151–\d+ of 10,000$/)).toBeTruthy();
    expect(screen.getByRole('table').getAttribute('aria-rowcount')).toBe('10001');
  });

  it('reaches its far end in large pages, with few rows drawn', async () => {
    const { server } = await open(10_000);
    act(() => table().focus());
    Object.defineProperty(table(), 'clientHeight', { value: 634 });
    fireEvent.keyDown(table(), { key: 'End' });
    fireEvent.scroll(table());
    expect(await screen.findByRole('link', { name: 'job-1' })).toBe(document.activeElement);
    expect(server.asked().length).toBeLessThan(25);
    expect(document.querySelectorAll('tbody tr').length).toBeLessThan(70);
  });

  it('says when more could not be loaded, and tries again when told', async () => {
    const { server } = await open(400);
    server.broken = true;
    scrollTo(180);
    const problem = await screen.findByRole('alert');
    server.broken = false;
    fireEvent.click(within(problem).getByRole('button', { name: 'Try again' }));
    scrollTo(390);
    expect(await screen.findByRole('link', { name: 'job-1' })).toBeTruthy();
  });
});

describe('live updates', () => {
  it('read again only what is in view, and draw only what changed', async () => {
    const { server } = await open(1000);
    for (const to of [150, 350, 550]) {
      scrollTo(to);
      // oxlint-disable-next-line no-await-in-loop -- each page names the next one
      await screen.findByRole('link', { name: `job-${1000 - to}` });
    }
    await waitFor(() => expect(queryClient.isFetching()).toBe(0));
    server.asked();
    const before = new Map([...document.querySelectorAll<HTMLElement>('tbody tr[data-key]')].map((tr) => [tr.dataset.key, tr]));
    vi.mocked(sizeOf).mockClear();
    server.change(445, { state: 'failed' });
    await news();
    const asked = server.asked();
    expect(asked).toHaveLength(2);
    expect(asked[0]).toBe('top 50');
    expect(asked[1]).toMatch(/^j601 /);
    expect(within(line(445)).getByText('Failed')).toBeTruthy();
    expect(vi.mocked(sizeOf).mock.calls.map(([one]) => (one as JobRow).id)).toEqual(['j445']);
    expect([...document.querySelectorAll<HTMLElement>('tbody tr[data-key]')].every((tr) => before.get(tr.dataset.key) === tr)).toBe(true);
  });

  it('refresh what was out of view once it is scrolled to', async () => {
    const { server } = await open(600);
    scrollTo(150);
    await screen.findByRole('link', { name: 'job-450' });
    scrollTo(300);
    await screen.findByRole('link', { name: 'job-300' });
    server.change(590, { state: 'failed' });
    await news();
    server.asked();
    scrollTo(0);
    await waitFor(() => expect(within(line(590)).getByText('Failed')).toBeTruthy());
    expect(server.asked()).toHaveLength(1);
  });

  it('let a new job in at the top, but only tell of it further down', async () => {
    const { server } = await open(600);
    server.jobs.unshift(job(601));
    await news();
    expect(screen.getByRole('link', { name: 'job-601' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: /new job/ })).toBeNull();
    scrollTo(100);
    server.jobs.unshift(job(604), job(603), job(602));
    await news();
    expect(table().scrollTop).toBe(100 * 40);
    fireEvent.click(await screen.findByRole('button', { name: '3 new jobs' }));
    fireEvent.scroll(table());
    expect(await screen.findByRole('link', { name: 'job-604' })).toBeTruthy();
    await waitFor(() => expect(screen.queryByRole('button', { name: /new job/ })).toBeNull());
    expect(screen.getByText(/of 604$/)).toBeTruthy();
  });

  it('leave the row in focus where it is', async () => {
    const { server } = await open(600);
    act(() => screen.getByRole('link', { name: 'job-598' }).focus());
    server.jobs.unshift(job(602), job(601));
    await news();
    expect(document.activeElement?.textContent).toBe('job-598');
    expect(table().scrollTop).toBe(2 * 40);
    expect(await screen.findByRole('button', { name: '2 new jobs' })).toBeTruthy();
  });

  it('bring the list back once the server is', async () => {
    const { server } = await open(30);
    server.broken = true;
    fireEvent.click(screen.getByRole('button', { name: 'My jobs' }));
    expect(await screen.findByText('The database is locked.')).toBeTruthy();
    server.broken = false;
    await news();
    expect(await screen.findByRole('link', { name: 'job-30' })).toBeTruthy();
  });

  it('show the first job of a list that was emptied', async () => {
    const { server } = await open(600);
    scrollTo(150);
    await screen.findByRole('link', { name: 'job-450' });
    server.jobs = [];
    await news();
    expect(await screen.findByText('No jobs yet')).toBeTruthy();
    server.jobs = [job(601)];
    await news();
    expect(screen.getByRole('link', { name: 'job-601' })).toBeTruthy();
  });

  it('take away what no longer matches', async () => {
    const { server } = await open(30);
    server.jobs = server.jobs.filter(({ id }) => id !== 'j29');
    await news();
    expect(screen.queryByRole('link', { name: 'job-29' })).toBeNull();
    expect(screen.getByText(/of 29$/)).toBeTruthy();
  });
});

describe('chosen jobs', () => {
  it('stay chosen over updates, and not over another filter', async () => {
    const { server } = await open(30);
    fireEvent.click(box(29));
    fireEvent.click(box(26), { shiftKey: true });
    expect(screen.getByText('4 jobs selected')).toBeTruthy();
    server.change(28, { state: 'completed' });
    server.jobs = [job(31), ...server.jobs.filter(({ id }) => id !== 'j27')];
    await news();
    expect(box(29).checked).toBe(true);
    expect(box(31).checked).toBe(false);
    expect(screen.getByText('(1 no longer in this list)')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Stop 3' })).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Start 1' })).toBeTruthy();
    expect(await accessibilityProblems()).toEqual([]);
    fireEvent.click(screen.getByRole('button', { name: 'My jobs' }));
    await waitFor(() => expect(screen.queryByText(/chosen/)).toBeNull());
  });

  it('are chosen by keyboard', async () => {
    await open(30);
    fireEvent.keyDown(document.body, { key: 'j' });
    fireEvent.keyDown(document.activeElement!, { key: 'x' });
    fireEvent.keyDown(document.activeElement!, { key: 'j' });
    fireEvent.keyDown(document.activeElement!, { key: 'j' });
    fireEvent.keyDown(document.activeElement!, { key: 'X', shiftKey: true });
    expect(await screen.findByText('3 jobs selected')).toBeTruthy();
    fireEvent.keyDown(document.activeElement!, { key: 'Escape' });
    await waitFor(() => expect(screen.queryByText('3 jobs selected')).toBeNull());
  });

  it('draw only the rows whose choice changed', async () => {
    await open(200);
    vi.mocked(sizeOf).mockClear();
    fireEvent.click(box(199));
    fireEvent.click(screen.getByRole('checkbox', { name: 'Select all 200 loaded jobs' }));
    expect(screen.getByText('200 jobs selected')).toBeTruthy();
    expect(sizeOf).not.toHaveBeenCalled();
  });

  it('are stopped together; a refusal in the middle is told with its reason', async () => {
    const { calls } = await open(5, {
      'POST jobs/j5/stop': detail({ id: 'j5', state: 'stopping' }),
      'POST jobs/j4/stop': new Refusal(403, { detail: 'It belongs to wang.' }),
      'POST jobs/j3/stop': detail({ id: 'j3', state: 'stopping' }),
    });
    fireEvent.click(box(5));
    fireEvent.click(box(3), { shiftKey: true });
    fireEvent.click(screen.getByRole('button', { name: 'Stop 3' }));
    const dialog = await screen.findByRole('dialog', { name: 'Stop 3 jobs?' });
    expect(within(dialog).getByRole('list', { name: 'Affected jobs' }).textContent).toContain('job-4');
    expect(calls.some(({ method }) => method === 'POST')).toBe(false);
    fireEvent.click(within(dialog).getByRole('button', { name: 'Stop 3' }));
    const refusals = await within(dialog).findByRole('list', { name: 'Refused' });
    expect(refusals.textContent).toBe('job-4It belongs to wang.');
    expect(within(dialog).getByText(/2 jobs are stopping\. 1 was refused\./)).toBeTruthy();
    expect(await accessibilityProblems()).toEqual([]);
    fireEvent.click(within(dialog).getAllByRole('button', { name: 'Close' }).at(-1)!);
    await waitFor(() => expect(screen.getByText('1 job selected')).toBeTruthy());
    expect(box(4).checked).toBe(true);
  });

  it('are left alone when it is cancelled midway', async () => {
    const waiting: (() => void)[] = [];
    const stop = (id: string) => () =>
      new Promise((resolve) => {
        waiting.push(() => resolve(detail({ id, state: 'stopping' })));
      });
    const numbers = [6, 5, 4, 3, 2, 1];
    await open(6, Object.fromEntries(numbers.map((number) => [`POST jobs/j${number}/stop`, stop(`j${number}`)])));
    fireEvent.click(screen.getByRole('checkbox', { name: 'Select all 6 loaded jobs' }));
    fireEvent.click(screen.getByRole('button', { name: 'Stop 6' }));
    const dialog = await screen.findByRole('dialog');
    fireEvent.click(within(dialog).getByRole('button', { name: 'Stop 6' }));
    await waitFor(() => expect(waiting).toHaveLength(4));
    expect(within(dialog).getByRole<HTMLProgressElement>('progressbar', { name: 'Progress' }).value).toBe(0);
    fireEvent.click(within(dialog).getByRole('button', { name: 'Cancel the rest' }));
    for (const finish of waiting) finish();
    expect(await within(dialog).findByText(/4 jobs are stopping\.\s+2 were skipped\./)).toBeTruthy();
    expect(waiting).toHaveLength(4);
  });

  it('are cloned one at a time only', async () => {
    await open(3);
    fireEvent.click(box(3));
    expect(within(screen.getByRole('toolbar')).getByRole('button', { name: 'Clone' })).toBeTruthy();
    fireEvent.click(box(2));
    expect(within(screen.getByRole('toolbar')).queryByRole('button', { name: 'Clone' })).toBeNull();
  });
});
