import { beforeAll, describe, expect, it } from 'vitest';
import type { ClassBacklog, Lane } from '@/api/queue';
import { translate, withWords } from '@/app/i18n';
import { countOf, modelsOf } from './lanes';
import { isFiltered, queueSearch } from './search';
import { workWords } from './words';

const lanes: Lane[] = [
  { gpu_model: 'A100', class: 'distributed', waiting: 3, work_seconds: 60, gpu_hours: 2, without_estimate: 1 },
  { gpu_model: 'A100', class: 'single', waiting: 2, work_seconds: 30, gpu_hours: 2, without_estimate: 1 },
  { gpu_model: 'H100', class: 'single', waiting: 1, work_seconds: 5, gpu_hours: 2, without_estimate: 1 },
  { gpu_model: 'cpu', class: 'workspace', waiting: 4, work_seconds: 8, gpu_hours: 2, without_estimate: 1 },
];
const classes: ClassBacklog[] = [
  { class: 'workspace', waiting: 4, work_seconds: 8, gpu_hours: 0, without_estimate: 0 },
  { class: 'single', waiting: 2, work_seconds: 30, gpu_hours: 1.5, without_estimate: 1 },
];
const all = { lanes, classes };

beforeAll(() => withWords('queueing', async () => undefined));

describe('how many wait', () => {
  it('is counted in all, by class and by model', () => {
    expect(countOf(all)).toEqual({ waiting: 6, seconds: 38, gpuHours: 1.5, without: 1 });
    expect(countOf(all, { class: 'single' })).toEqual({ waiting: 2, seconds: 30, gpuHours: 1.5, without: 1 });
    expect(countOf(all, { class: 'single', gpu_model: 'A100' })).toEqual({ waiting: 2, seconds: 30, gpuHours: 2, without: 1 });
    expect(countOf({ lanes: [], classes: [] })).toEqual({ waiting: 0, seconds: 0, gpuHours: 0, without: 0 });
  });

  it('tells the work that waits, and what is not known of it', () => {
    expect(workWords({ waiting: 2, seconds: 7200, gpuHours: 16, without: 0 }, translate)).toBe('2h of work (16 GPU-hours)');
    expect(workWords({ waiting: 2, seconds: 7200, gpuHours: 0, without: 1 }, translate)).toBe(
      'at least 2h of work, 1 job without an estimate',
    );
    expect(workWords({ waiting: 2, seconds: 0, gpuHours: 0, without: 2 }, translate)).toMatch(/unknown/);
  });

  it('names each model once', () => {
    expect(modelsOf(lanes)).toEqual(['A100', 'H100', 'cpu']);
    expect(modelsOf(lanes, { class: 'distributed' })).toEqual(['A100']);
  });
});

describe('the queue’s address', () => {
  it('keeps what it knows and drops the rest', () => {
    expect(queueSearch({ class: 'single', lane: 'A100', owner: 'me', other: 'x' })).toEqual({
      class: 'single',
      lane: 'A100',
      project: undefined,
      owner: 'me',
      why: undefined,
    });
    expect(queueSearch({ class: 'strange' }).class).toBeUndefined();
  });

  it('counts the tab as no filter', () => {
    expect(isFiltered({ class: 'single', why: 'j1' })).toBe(false);
    expect(isFiltered({ project: 'nlp' })).toBe(true);
  });
});
