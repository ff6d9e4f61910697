import { describe, expect, it } from 'vitest';
import { workLost } from './attempts';
import { policiesOf, processesOf, restartsOf } from './policies';

describe('what is done about trouble', () => {
  it('is what the file says, and the usual for all else', () => {
    expect(policiesOf({ on: { node_lost: 'restart_job' } })).toEqual([
      { trouble: 'task_failed', remedy: 'fail' },
      { trouble: 'out_of_memory', remedy: 'fail' },
      { trouble: 'node_lost', remedy: 'restart_job' },
      { trouble: 'evicted', remedy: 'requeue' },
      { trouble: 'task_completed', remedy: 'ignore' },
    ]);
  });

  it('is told of a hung job only where one can hang', () => {
    expect(policiesOf({ hang_after: '1h' }).some(({ trouble }) => trouble === 'hung')).toBe(true);
  });

  it('may be otherwise for a role', () => {
    expect(policiesOf({ roles: [{ name: 'ps', on: { task_failed: 'restart_task' } }, { name: 'worker' }] }).at(-1)).toEqual({
      role: 'ps',
      trouble: 'task_failed',
      remedy: 'restart_task',
    });
  });
});

it('restarts are counted, thrice where nothing is said', () => {
  expect(restartsOf({})).toBe(0);
  expect(restartsOf({ restarts: 7 })).toBe(7);
  expect(restartsOf({ on: { task_failed: 'restart_job' } })).toBe(3);
  expect(restartsOf({ on: { evicted: 'requeue' } })).toBe(0);
  expect(restartsOf({ roles: [{ name: 'ps', on: { task_failed: 'restart_task' } }] })).toBe(3);
});

it('processes are told where the file says how many', () => {
  expect(processesOf({})).toEqual([]);
  expect(processesOf({ processes: 2, roles: [{ name: 'ps', processes: 1 }] })).toEqual([{ count: 2 }, { role: 'ps', count: 1 }]);
});

describe('work that is lost', () => {
  it.each([
    [0, null],
    [30, 'attempts.lostLittle'],
    [90, 'attempts.lostMinutes'],
    [5400, 'attempts.lostHours'],
  ])('of %d GPU-seconds', (seconds, key) => {
    expect(workLost(seconds, (word) => word)).toBe(key);
  });
});
