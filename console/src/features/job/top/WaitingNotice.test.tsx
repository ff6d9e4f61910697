import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { openConsole } from '@/testing/app';
import { attempt, detail, reason, session } from '@/testing/samples';

it('tells who lost a job to a maintenance that this ended the attempt before', async () => {
  const began = { ...reason, code: 'node_maintenance', text: { en: 'maintenance fans of node a began', zh: '' } };
  const last = attempt({ number: 1, reason: began, ended_at: '2026-05-01T10:00:00Z' });
  const again = detail({ state: 'queued', started_at: null, attempt: 1, tasks: [], attempts: [last] });
  openConsole('/jobs/j1', { 'GET session': session, 'GET jobs/j1': again, 'GET jobs/j1/logs': { lines: [], next_offset: 0, end: true } });
  expect(await screen.findByText(/^Attempt 1 ended: maintenance fans of node a began,/)).toBeTruthy();
});
