import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { accessibilityProblems, openConsole, Refusal } from '@/testing/app';
import type { Answers, Call } from '@/testing/app';
import { detail, place, preferences, reason, resources, row, session } from '@/testing/samples';

const waits = {
  ...reason,
  code: 'not_enough_gpus',
  text: { en: 'needs 8 × A100; room for 0 of 1 tasks now', zh: '' },
  advice: { en: 'It starts by itself.', zh: '' },
};
const why = {
  reason: waits,
  places: [],
  ahead: [],
  ahead_total: 0,
  helps: [{ change: 'gpus', value: '4', text: { en: 'With 4 GPUs it would start now.', zh: '' } }],
};
const failed = row({ id: 'j9', name: 'whisper', state: 'failed', reason, ended_at: '2026-05-01T12:00:00Z' });
const jobs = ({ query }: Call) => {
  const items = query.get('sort') === '-ended' ? [failed] : [row()];
  return { items, next_cursor: null, total: items.length };
};
const full: Answers = {
  'GET session': session,
  'GET me/preferences': { ...preferences, dismissed: ['first-steps'] },
  'GET resources': resources(),
  'GET jobs': jobs,
  'GET jobs/j1': detail({ spec: { max_time: '4h' }, started_at: new Date(Date.now() - 3_600_000).toISOString() }),
  'GET queue': {
    items: [place({ position: 3, name: 'later', job_id: 'j3' }), place({ position: 1, name: 'soon', job_id: 'j2', reason: waits })],
    next_cursor: null,
    lanes: [],
    classes: [],
    decided_at: null,
  },
  'GET jobs/j2/why': why,
};
const empty: Answers = {
  ...full,
  'GET jobs': { items: [], next_cursor: null, total: 0 },
  'GET queue': { items: [], next_cursor: null, lanes: [], classes: [], decided_at: null },
  'GET resources': resources({ gpus: [], mine: { running: 0, queued: 0 } }),
};
const panel = async (title: string) => within((await screen.findByRole('heading', { name: title })).closest('section')!);
const no = (words: string) => new Refusal(400, { type: 'x', title: 'No', detail: words });

describe('what is free', () => {
  it('is told by GPU model, with the largest block, the shortage and what is mine', async () => {
    openConsole('/', full);
    const free = await panel('Free now');
    expect(await free.findByRole('img', { name: 'A100: 12 of 32 free, 4 mine' })).toBeTruthy();
    const model = free.getByRole('link', { name: 'A100' });
    expect(model.getAttribute('href')).toBe('/nodes?model=A100');
    expect(model.closest('li')!.textContent).toBe(
      'A1004 nodes12 of 32 freemine: 4largest block on one node: 8queued: 24 GPUs, 8 of them mine12 GPUs short',
    );
    expect(await accessibilityProblems()).toEqual([]);
  });

  it('tells what is idle on nodes that take no jobs, so that the figures add up', async () => {
    const [a100] = resources().gpus;
    openConsole('/', { ...full, 'GET resources': resources({ gpus: [{ ...a100!, closed: 3 }] }) });
    expect(await screen.findByText('3 idle on nodes that take no jobs')).toBeTruthy();
  });
});

describe('my jobs', () => {
  it('that run say how long, how large, and how far toward their time', async () => {
    openConsole('/', full);
    const list = within(await screen.findByRole('list', { name: 'My running jobs' }));
    expect(list.getByRole('link', { name: 'bert-pretrain' }).getAttribute('href')).toBe('/jobs/j1');
    expect(list.getByText('2 × 8 A100 · nlp')).toBeTruthy();
    expect(await list.findByRole('progressbar', { name: 'Time used by bert-pretrain' })).toBeTruthy();
    expect(list.getByText(/of 4h at most/)).toBeTruthy();
  });

  it('that set no time have no bar', async () => {
    openConsole('/', { ...full, 'GET jobs/j1': detail({ spec: {} }) });
    await screen.findByRole('list', { name: 'My running jobs' });
    expect(screen.queryByRole('progressbar')).toBeNull();
  });

  it('that wait say their place and why, and what would help the next of them', async () => {
    openConsole('/', full);
    const [next, later] = within(await screen.findByRole('list', { name: 'My waiting jobs' })).getAllByRole('listitem');
    expect(next!.textContent).toContain('Your next job');
    expect(next!.textContent).toContain('No. 1 among single-node jobs for A100');
    expect(next!.textContent).toContain('needs 8 × A100; room for 0 of 1 tasks now');
    await waitFor(() => expect(next!.textContent).toContain('With 4 GPUs it would start now.'));
    expect(later!.textContent).toContain('No. 3');
    expect(later!.textContent).not.toContain('Your next job');
  });

  it('that wait keep their reason when the fuller answer fails', async () => {
    openConsole('/', { ...full, 'GET jobs/j2/why': no('gone') });
    const [next] = within(await screen.findByRole('list', { name: 'My waiting jobs' })).getAllByRole('listitem');
    expect(next!.textContent).toContain('needs 8 × A100');
    expect(next!.textContent).toContain('It starts by itself.');
  });

  it('that failed are news, with the reason', async () => {
    openConsole('/', full);
    const [item] = within(await screen.findByRole('list', { name: 'News of my jobs' })).getAllByRole('listitem');
    expect(item!.textContent).toContain('whisper');
    expect(item!.textContent).toContain('Failed');
    expect(item!.textContent).toContain('worker-0 ended with exit code 1');
  });
});

describe('a running job', () => {
  it('shows how busy it has been, and one’s own work stands before the rest', async () => {
    const usage = {
      items: [{ task: 'worker-0', times: [1, 2], cpus: { mean: [1, 2], high: [] }, cpus_given: 4, gpus: [] }],
      measured_every: 5,
    };
    openConsole('/', { ...full, 'GET jobs/j1/usage': usage });
    expect(await screen.findByRole('img', { name: /: 50 % busy$/ })).toBeTruthy();
    const titles = screen.getAllByRole('heading', { level: 2 }).map((heading) => heading.textContent);
    expect(titles.indexOf('My running jobs')).toBeLessThan(titles.indexOf('Free now'));
  });
});

describe('the cluster', () => {
  it('says how busy it is and how its nodes are', async () => {
    openConsole('/', full);
    const load = await panel('Cluster load');
    expect((await load.findByRole('meter', { name: 'Memory' })).getAttribute('aria-valuetext')).toBe('1 TiB of 2 TiB');
    expect(load.getByRole('link', { name: 'Cordoned 1' }).getAttribute('href')).toBe('/nodes?state=cordoned');
    expect(load.getByText("Everybody's jobs: 7 running, 3 queued")).toBeTruthy();
  });
});

describe('an empty overview', () => {
  it('says in each panel what to do', async () => {
    openConsole('/', empty);
    expect((await screen.findByRole('link', { name: 'Submit a job' })).getAttribute('href')).toBe('/jobs/new');
    expect(await screen.findByText('You have no waiting jobs')).toBeTruthy();
    expect(await screen.findByText('No news yet')).toBeTruthy();
    expect(await screen.findByText('No GPUs in service')).toBeTruthy();
    expect(await accessibilityProblems()).toEqual([]);
  });
});

describe('a question that fails', () => {
  it.each([
    ['GET resources', 'My running jobs', 2],
    ['GET queue', 'Free now', 1],
    ['GET jobs', 'Free now', 2],
  ])('%s breaks its own panel only', async (path, other, panels) => {
    openConsole('/', { ...full, [path]: no('It is broken.') });
    await waitFor(() => expect(screen.getAllByText('It is broken.')).toHaveLength(panels));
    expect(screen.getAllByRole('button', { name: 'Try again' })).toHaveLength(panels);
    expect(screen.getByRole('heading', { name: other })).toBeTruthy();
    expect(screen.queryByText('It is broken.', { selector: 'main > *' })).toBeNull();
  });
});
