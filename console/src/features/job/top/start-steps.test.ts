import { describe, expect, it } from 'vitest';
import type { DanluEvent } from '@/api/types';
import { detail, task } from '@/testing/samples';
import { byAttempt, eventLook, latestAttempt } from '../event-groups';
import { startSteps } from './start-steps';

let seq = 0;
function event(kind: string, data: Record<string, unknown> = {}): DanluEvent {
  seq += 1;
  return {
    seq,
    time: `2026-05-01T10:00:${String(seq % 60).padStart(2, '0')}Z`,
    kind,
    job_id: 'j1',
    actor: null,
    data,
    text: { en: kind, zh: kind },
  };
}
const state = (to: string) => event('state_changed', { to });
const step = (of: string, name: string) => event('task_starting', { task: of, step: name });

const QUEUED = () => [event('job_created'), event('start_requested'), state('queued')];
const PLACED = (attempt: number) => [event('placed', { attempt }), state('starting')];

const shape = (steps: ReturnType<typeof startSteps>) => steps.map((one) => `${one.name} ${one.state}`);

describe('the steps of starting', () => {
  it('begin with waiting', () => {
    expect(shape(startSteps(detail({ state: 'queued', tasks: [] }), QUEUED()))).toEqual([
      'queued current',
      'placed ahead',
      'prepare ahead',
      'running ahead',
    ]);
  });

  it('expect the code of a job that has some', () => {
    const job = detail({
      state: 'starting',
      spec: { code: { git: 'x' } },
      tasks: [task({ state: 'starting', step: 'prepare', started_at: null })],
    });
    expect(shape(startSteps(job, [...QUEUED(), ...PLACED(1), step('worker-0', 'prepare')]))).toEqual([
      'queued done',
      'placed done',
      'prepare current',
      'code ahead',
      'running ahead',
    ]);
  });

  it('show what an engine says in its own words', () => {
    const job = detail({ state: 'starting', tasks: [task({ state: 'starting', step: 'pulling the image', started_at: null })] });
    const steps = startSteps(job, [...QUEUED(), ...PLACED(1), step('worker-0', 'prepare'), step('worker-0', 'pulling the image')]);
    expect(shape(steps)).toContain('pulling the image current');
  });

  it('count the tasks that are at least so far', () => {
    const tasks = [
      task({ started_at: null, state: 'starting', step: 'code' }),
      task({ name: 'worker-1', started_at: null, state: 'starting', step: 'prepare' }),
    ];
    const events = [...QUEUED(), ...PLACED(1), step('worker-0', 'prepare'), step('worker-1', 'prepare'), step('worker-0', 'code')];
    const steps = startSteps(detail({ state: 'starting', tasks }), events);
    expect(steps.map((one) => [one.name, one.tasks])).toEqual([
      ['queued', 0],
      ['placed', 2],
      ['prepare', 2],
      ['code', 1],
      ['running', 0],
    ]);
  });

  it('are all done once it runs', () => {
    const steps = startSteps(detail(), [...QUEUED(), ...PLACED(1), step('worker-0', 'prepare'), state('running')]);
    expect(steps.every((one) => one.state === 'done')).toBe(true);
  });

  it('show where it failed', () => {
    const job = detail({ state: 'failed', tasks: [task({ state: 'failed', started_at: null })] });
    expect(shape(startSteps(job, [...QUEUED(), ...PLACED(1), step('worker-0', 'code'), state('failed')]))).toEqual([
      'queued done',
      'placed done',
      'code failed',
      'prepare ahead',
      'running ahead',
    ]);
  });

  it('are all done before a command that is not found', () => {
    const reason = {
      code: 'command_not_found',
      params: {},
      text: { en: '', zh: '' },
      meaning: { en: '', zh: '' },
      advice: { en: '', zh: '' },
    };
    const job = detail({ state: 'failed', reason, tasks: [task({ state: 'failed', started_at: null })] });
    expect(shape(startSteps(job, [...QUEUED(), ...PLACED(1), step('worker-0', 'code'), state('failed')]))).toEqual([
      'queued done',
      'placed done',
      'code done',
      'prepare done',
      'running failed',
    ]);
  });

  it('are those of the latest attempt', () => {
    const events = [...QUEUED(), ...PLACED(1), state('running'), state('failed'), event('start_requested'), state('queued')];
    expect(shape(startSteps(detail({ state: 'queued', tasks: [] }), events))[0]).toBe('queued current');
  });
});

describe('events by attempt', () => {
  it('put the waiting for an attempt to that attempt', () => {
    const events = [
      ...QUEUED(),
      ...PLACED(1),
      state('running'),
      state('queued'),
      event('reordered'),
      ...PLACED(2),
      state('running'),
      state('completed'),
      event('job_edited'),
    ];
    const groups = byAttempt(events);
    expect(groups.map(({ attempt, events: of }) => [attempt, of.length])).toEqual([
      [1, 7],
      [2, 5],
      [null, 1],
    ]);
  });

  it('begin what waits again with the word that it does', () => {
    const events = [...QUEUED(), ...PLACED(1), state('queued')];
    const again = event('reordered');
    expect(latestAttempt([...events, again])).toEqual([events.at(-1), again]);
    expect(latestAttempt([])).toEqual([]);
  });
});

describe('the look of an event', () => {
  it('tells a task that failed from one that succeeded', () => {
    expect(eventLook(event('task_ended', { reason: null })).tone).toBe('green');
    expect(eventLook(event('task_ended', { reason: { code: 'exit_code' } })).tone).toBe('red');
  });

  it('follows the state that was reached', () => {
    expect(eventLook(state('failed'))).toEqual({ icon: 'failed', tone: 'red', subject: 'states' });
  });

  it('is plain for what it does not know', () => {
    expect(eventLook(event('levitated')).icon).toBe('info');
  });
});
