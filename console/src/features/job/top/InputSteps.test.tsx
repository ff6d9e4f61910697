import { screen, within } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import type { JobDetail } from '@/api/jobs';
import { accessibilityProblems, openConsole } from '@/testing/app';
import { setWidth } from '@/testing/fields';
import { detail, reason, session } from '@/testing/samples';

type Input = JobDetail['inputs'][number];

const MIB = 2 ** 20;
const input = (part: Partial<Input> = {}): Input => ({
  source: 'https://example.org/set.tar.gz',
  target: 'lin:raw:/set/',
  state: 'completed',
  transfer: 't1',
  files: 1,
  bytes: 20 * MIB,
  bytes_total: 20 * MIB,
  rate: 0,
  problem: null,
  ...part,
});

function open(job: JobDetail) {
  openConsole('/jobs/j1', { 'GET session': session, 'GET jobs/j1': job, 'GET jobs/j1/logs': { lines: [], next_offset: 0, end: true } });
}

const steps = async () => within(await screen.findByRole('list', { name: 'Inputs' })).getAllByRole('listitem');

afterEach(() => setWidth(1024));

describe('the inputs of a job', () => {
  it('are steps with how far they are, and lead to their transfers', async () => {
    const fetching = input({
      source: 'git+https://example.org/repo',
      state: 'running',
      bytes: 30 * MIB,
      bytes_total: 120 * MIB,
      rate: MIB,
    });
    const waiting = { ...reason, code: 'inputs_pending', text: { en: 'input 2 of 2 is being fetched', zh: '' } };
    open(detail({ state: 'queued', attempt: 0, tasks: [], attempts: [], waiting, inputs: [input(), fetching] }));
    const [first, second] = await steps();
    expect(first!.textContent).toContain('There · 20 MiB');
    expect(second!.textContent).toContain('Being fetched · 25 % / 120 MiB · 1 MiB/s');
    expect(second!.getAttribute('aria-current')).toBe('step');
    expect(within(second!).getByRole('link', { name: 'To its transfer' }).getAttribute('href')).toBe('/transfers');
    expect(await accessibilityProblems()).toEqual([]);
  });

  it('say why one could not be fetched', async () => {
    const problem = { en: 'there is nothing at https://example.org/set.tar.gz (404)', zh: '' };
    const lost = { ...reason, code: 'input_failed', text: { en: 'input 1 of 1 could not be fetched', zh: '' } };
    open(detail({ state: 'failed', attempt: 0, tasks: [], attempts: [], reason: lost, inputs: [input({ state: 'failed', problem })] }));
    expect((await steps())[0]!.textContent).toContain('Failed');
    expect((await steps())[0]!.textContent).toContain('there is nothing at');
  });

  it('are facts of a job that has them', async () => {
    setWidth(1400);
    open(detail({ inputs: [input()] }));
    expect(await screen.findByText('https://example.org/set.tar.gz → lin:raw:/set/')).toBeTruthy();
    expect(screen.queryByRole('list', { name: 'Inputs' })).toBeNull();
  });
});
