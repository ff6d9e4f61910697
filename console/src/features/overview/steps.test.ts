import { describe, expect, it } from 'vitest';
import { takenMark } from '@/app/first-steps';
import { CLUSTER_STEPS, OWN_STEPS, stepsFor } from './steps';
import type { Known, StepId } from './steps';

const nothing: Known = { mustSetPassword: true, dismissed: [] };
const done = (known: Partial<Known>) =>
  stepsFor('administrator', { ...nothing, ...known })
    .filter((step) => step.done)
    .map((step) => step.id);

describe('the first steps', () => {
  it('of an engineer are their own; an administrator sees to the cluster first', () => {
    expect(stepsFor('engineer', nothing).map((step) => step.id)).toEqual([...OWN_STEPS]);
    expect(stepsFor('administrator', nothing).map((step) => step.id)).toEqual([...CLUSTER_STEPS, ...OWN_STEPS]);
  });

  it('of a viewer include no jobs', () => {
    expect(stepsFor('viewer', nothing).map((step) => step.id)).toEqual(['password', 'cli', 'token', 'guide']);
  });

  it('are all open where nothing is known', () => {
    expect(done({})).toEqual([]);
  });

  it.each<[StepId, Partial<Known>]>([
    ['nodes', { nodes: { ready: 1 } }],
    ['nodes', { nodes: { occupied: 1 } }],
    ['people', { users: 2 }],
    ['project', { projects: ['public', 'vision'] }],
    ['sizes', { flavors: 1 }],
    ['sizes', { pools: 2 }],
    ['limits', { limits: 1 }],
    ['limits', { quotas: 1 }],
    ['limits', { priorities: ['normal', 'urgent'] }],
    ['password', { mustSetPassword: false }],
    ['job', { jobs: 1 }],
    ['log', { dismissed: [takenMark('log')] }],
    ['token', { tokens: [{ name: 'nightly', last_used_at: null }] }],
    ['guide', { dismissed: [takenMark('guide')] }],
  ])('%s is ticked by %o', (id, known) => {
    expect(done(known)).toEqual([id]);
  });

  it('tick the command line once a token was used', () => {
    expect(done({ tokens: [{ name: 'nightly', last_used_at: '2026-05-01T10:00:00Z' }] })).toEqual(['cli', 'token']);
    // That of `danlu login` is nothing that one created.
    expect(done({ tokens: [{ name: 'danlu login on laptop', last_used_at: '2026-05-01T10:00:00Z' }] })).toEqual(['cli']);
  });

  it('do not count what comes with Danlu', () => {
    expect(
      done({
        nodes: { off: 3 },
        users: 1,
        projects: ['public'],
        pools: 1,
        priorities: ['low', 'normal', 'high'],
        flavors: 0,
        limits: 0,
        jobs: 0,
        tokens: [],
      }),
    ).toEqual([]);
  });
});
