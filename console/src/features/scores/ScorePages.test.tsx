import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import type { LedgerRow } from '@/api/queue';
import { accessibilityProblems, openConsole, Refusal } from '@/testing/app';
import { session } from '@/testing/samples';

const ADMINISTRATOR = { ...session, user: { ...session.user, name: 'root', role: 'administrator' as const } };
const LIN = {
  user: 'lin',
  score_time: '6h',
  scores: [
    { model: 'A100', score: 5.06, held: 8 },
    { model: 'cpu', score: 0.4, held: 0 },
  ],
};
const WANG = { user: 'wang', score_time: '6h', scores: [{ model: 'A100', score: 7.5, held: 0 }] };
const ledgerRow = (part: Partial<LedgerRow>): LedgerRow => ({
  job_id: 'j1',
  job_name: 'bert',
  attempt: 1,
  task: 'worker-0',
  model: 'A100',
  amount: 8,
  began: '2026-05-01T10:00:00Z',
  ended: null,
  adds: 5.06,
  ...part,
});

function own(rows: LedgerRow[], next: string | null = null) {
  // The canvas of a real plot is beyond this page; its numbers are tested by themselves.
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      observe() {}
      disconnect() {}
    },
  );
  return { 'GET session': session, 'GET scores/lin': LIN, 'GET scores/lin/ledger': { items: rows, next_cursor: next } };
}

describe('the scores', () => {
  it('lead everybody but administrators to their own', async () => {
    const { address } = openConsole('/scores', own([ledgerRow({})]));
    expect(await screen.findByRole('heading', { name: 'My score' })).toBeTruthy();
    expect(address()).toBe('/scores/lin');
  });

  it('show administrators everybody’s, sorted as the address says', async () => {
    const { address } = openConsole('/scores', { 'GET session': ADMINISTRATOR, 'GET scores': { items: [LIN, WANG], next_cursor: null } });
    const table = await screen.findByRole('table');
    const people = () =>
      within(table)
        .getAllByRole('link', { name: /^(lin|wang)$/ })
        .map((link) => link.textContent);
    expect(people()).toEqual(['lin', 'wang']);
    expect(within(table).getByText('8 in use now')).toBeTruthy();
    fireEvent.click(within(table).getByRole('button', { name: 'A100' }));
    await waitFor(() => expect(address()).toBe('/scores?sort=A100'));
    fireEvent.click(within(table).getByRole('button', { name: 'A100' }));
    await waitFor(() => expect(people()).toEqual(['wang', 'lin']));
    expect(await accessibilityProblems()).toEqual([]);
  });
});

describe('a person’s score', () => {
  it('says what it is, what T means, where it goes, and what it is the sum of', async () => {
    openConsole(
      '/scores/lin',
      own([ledgerRow({}), ledgerRow({ job_id: 'j0', job_name: 'old', ended: '2026-05-01T11:00:00Z', adds: 0.001 })]),
    );
    expect(await screen.findByRole('heading', { name: 'Score over time: A100' })).toBeTruthy();
    expect(screen.getByText(/37 % still counts after 6h, 14 % after 12h and 2 % after 1d/)).toBeTruthy();
    const unused = (await screen.findByRole('rowheader', { name: 'if nothing more is used' })).closest('tr')!;
    expect(
      within(unused)
        .getAllByRole('cell')
        .map((cell) => cell.textContent),
    ).toEqual(['1.86', '0.68', '0.09']);
    const kept = screen.getByRole('rowheader', { name: 'if your usage stays the same (8 in use now)' }).closest('tr')!;
    expect(
      within(kept)
        .getAllByRole('cell')
        .map((cell) => cell.textContent),
    ).toEqual(['6.92', '7.60', '7.95']);
    expect(screen.getByText('still in use')).toBeTruthy();
    expect(screen.getByText('< 0.01')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'old' }).getAttribute('href')).toBe('/jobs/j0');
    expect(await accessibilityProblems()).toEqual([]);
  });

  it('keeps the chosen model in the address', async () => {
    const { address, calls } = openConsole('/scores/lin', own([ledgerRow({})]));
    fireEvent.click(await screen.findByRole('link', { name: /CPU/ }));
    await waitFor(() => expect(address()).toBe('/scores/lin?model=cpu'));
    await waitFor(() => expect(calls.some(({ query }) => query.get('model') === 'cpu')).toBe(true));
  });

  it('loads the ledger as far back as the plot goes, and further when asked', async () => {
    const recent = new Date(Date.now() - 3_600_000).toISOString();
    const long = new Date(Date.now() - 10 * 86_400_000).toISOString();
    const pages: Record<string, unknown> = {
      first: { items: [ledgerRow({ began: recent, ended: recent })], next_cursor: 'second' },
      second: { items: [ledgerRow({ job_id: 'j2', job_name: 'older', began: long, ended: long })], next_cursor: 'third' },
      third: { items: [ledgerRow({ job_id: 'j3', job_name: 'oldest', began: long, ended: long })], next_cursor: null },
    };
    const { calls } = openConsole('/scores/lin', {
      ...own([]),
      'GET scores/lin/ledger': ({ query }: { query: URLSearchParams }) => pages[query.get('cursor') ?? 'first'],
    });
    expect(await screen.findByRole('link', { name: 'older' })).toBeTruthy();
    expect(calls.filter(({ path }) => path.endsWith('ledger'))).toHaveLength(2);
    fireEvent.click(screen.getByRole('button', { name: 'Load older rows' }));
    expect(await screen.findByRole('link', { name: 'oldest' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Load older rows' })).toBeNull();
  });

  it('asks once for older rows that the server refuses, and again only when told', async () => {
    const recent = new Date(Date.now() - 3_600_000).toISOString();
    let broken = true;
    const { calls } = openConsole('/scores/lin', {
      ...own([]),
      'GET scores/lin/ledger': ({ query }: { query: URLSearchParams }) => {
        if (!query.has('cursor')) return { items: [ledgerRow({ began: recent, ended: recent })], next_cursor: 'second' };
        return broken
          ? new Refusal(400, { detail: 'The cursor is too old.' })
          : { items: [ledgerRow({ job_id: 'j2', job_name: 'older' })], next_cursor: null };
      },
    });
    const more = await screen.findByRole('button', { name: 'Load older rows' });
    await new Promise((passed) => {
      setTimeout(passed, 300);
    });
    expect(calls.filter(({ query }) => query.has('cursor'))).toHaveLength(1);
    broken = false;
    fireEvent.click(more);
    expect(await screen.findByRole('link', { name: 'older' })).toBeTruthy();
  });

  it('says so where there is none, and where one may not look', async () => {
    openConsole('/scores/lin', { 'GET session': session, 'GET scores/lin': { ...LIN, scores: [] } });
    expect(await screen.findByText('No score yet')).toBeTruthy();
  });

  it('repeats the server’s words where one may not look', async () => {
    const refusal = new Refusal(404, {
      type: 'not_found',
      title: 'Not found',
      detail: "there is no user 'wang', or you may not see their score",
    });
    openConsole('/scores/wang', { 'GET session': session, 'GET scores/wang': refusal });
    expect(await screen.findByText("there is no user 'wang', or you may not see their score")).toBeTruthy();
  });
});
