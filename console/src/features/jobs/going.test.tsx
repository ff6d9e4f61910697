import { screen, within } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { accessibilityProblems, openConsole } from '@/testing/app';
import { row, session } from '@/testing/samples';

const latest = { step: 4200, total_steps: 10_000, metric: 'loss', value: 0.23149, at: '2026-05-01T10:00:00Z' };
const rows = [
  row({ id: 'j1', name: 'whole', placed: ['a100-1', 'a100-2', 'a100-3'], latest }),
  row({ id: 'j2', name: 'broken', placed: ['a100-1'], latest: { ...latest, total_steps: null, value: null } }),
  row({ id: 'j3', name: 'timed', expected_time: 60, max_time: 120, placed: [] }),
  row({ id: 'j4', name: 'waits', state: 'queued', placed: [], started_at: null, expected_time: 60 }),
];
const cells = async (name: string) => {
  const line = (await screen.findByRole('link', { name })).closest('tr')!;
  return within(line)
    .getAllByRole('cell')
    .slice(2, 5)
    .map((cell) => cell.textContent);
};

beforeEach(() => localStorage.setItem('danlu.jobs.columns', 'name,node,progress,metric'));

it('a row tells where a job runs, how far it is and its latest metric', async () => {
  openConsole('/jobs', { 'GET session': session, 'GET jobs': { items: rows, total: rows.length, next_cursor: null } });
  expect(await cells('whole')).toEqual(['a100-1 +2', '42 %', 'loss 0.2315']);
  expect(await cells('broken')).toEqual(['a100-1', '–', 'loss NaN']);
  expect(await cells('timed')).toEqual(['–', '100 %', '–']);
  expect(await cells('waits')).toEqual(['–', '–', '–']);
  expect(screen.getByTitle('Step 4,200 of 10,000')).toBeTruthy();
  expect(screen.getByTitle('a100-1, a100-2, a100-3')).toBeTruthy();
  expect(screen.getByTitle('loss 0.2315 at step 4,200')).toBeTruthy();
  expect(screen.getByTitle(/of 1m expected/).dataset.tone).toBe('amber');
  expect(await accessibilityProblems()).toEqual([]);
});
