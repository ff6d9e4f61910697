import { describe, expect, it } from 'vitest';
import type { Lane } from '@/api/queue';
import { countOf, modelsOf } from './lanes';
import { isFiltered, queueSearch } from './search';

const lanes: Lane[] = [
  { gpu_model: 'A100', class: 'distributed', waiting: 3, total_waiting_seconds: 60 },
  { gpu_model: 'A100', class: 'single', waiting: 2, total_waiting_seconds: 30 },
  { gpu_model: 'H100', class: 'single', waiting: 1, total_waiting_seconds: 5 },
  { gpu_model: 'cpu', class: 'workspace', waiting: 4, total_waiting_seconds: 8 },
];

describe('how many wait', () => {
  it('is counted in all, by class and by model', () => {
    expect(countOf(lanes)).toEqual({ waiting: 10, seconds: 103 });
    expect(countOf(lanes, { class: 'single' })).toEqual({ waiting: 3, seconds: 35 });
    expect(countOf(lanes, { class: 'single', gpu_model: 'A100' })).toEqual({ waiting: 2, seconds: 30 });
    expect(countOf([], {})).toEqual({ waiting: 0, seconds: 0 });
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
