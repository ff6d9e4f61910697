import { describe, expect, it } from 'vitest';
import type { QueueItem } from '@/api/queue';
import { place } from '@/testing/samples';
import { arranged, linesByJob, linesOf, moveTo, placed, standsAs } from './lines';

const names = (items: QueueItem[]) => items.map((item) => `${item.lane.gpu_model} ${item.position} ${item.name ?? item.owner}`);
const H100 = { gpu_model: 'H100', class: 'single' } as const;

describe('lines of one’s own jobs', () => {
  it('hold those of one project, priority, class and model, in the order of service', () => {
    const mine = [place({ position: 2 }), place({ position: 5 }), place({ position: 7 })];
    expect(linesOf(mine)).toEqual([['j2', 'j5', 'j7']]);
  });

  it.each<[string, Partial<QueueItem>]>([
    ['project', { project: 'vision' }],
    ['priority', { priority: 'high' }],
    ['class', { lane: { gpu_model: 'A100', class: 'distributed' } }],
    ['model', { lane: H100 }],
  ])('keep those of another %s apart', (_, other) => {
    expect(linesOf([place({ position: 1 }), place({ position: 2, ...other })])).toEqual([['j1'], ['j2']]);
  });

  it('keep one that takes any model apart from those that take one of them', () => {
    const any = { job_id: 'any', name: 'any' };
    const mine = [place({ position: 1 }), place({ position: 2, ...any }), place({ position: 1, lane: H100, ...any })];
    expect(linesOf(mine)).toEqual([['j1'], ['any']]);
  });

  it('leave out what is pinned and what is not one’s own', () => {
    const mine = [place({ position: 1, pinned_at: '2026-05-01T10:05:00Z' }), place({ position: 2, mine: false }), place({ position: 3 })];
    expect(linesOf(mine)).toEqual([['j3']]);
  });

  it('are none for a job that stands alone, and for others’', () => {
    const lines = linesByJob([['j1'], ['j2', 'j3']]);
    expect([...lines.keys()]).toEqual(['j2', 'j3']);
    expect(lines.get('j3')).toEqual(['j2', 'j3']);
  });
});

describe('a move', () => {
  const line = ['a', 'b', 'c', 'd'];

  it.each([
    ['to the first', 'c', 0, { before: 'a' }, ['c', 'a', 'b', 'd']],
    ['to the last', 'a', 3, { after: 'd' }, ['b', 'c', 'd', 'a']],
    ['up', 'c', 1, { after: 'a' }, ['a', 'c', 'b', 'd']],
    ['down', 'b', 2, { after: 'c' }, ['a', 'c', 'b', 'd']],
    ['beyond the end', 'b', 9, { after: 'd' }, ['a', 'c', 'd', 'b']],
    ['before the beginning', 'b', -1, { before: 'a' }, ['b', 'a', 'c', 'd']],
  ] as const)('%s is told by one neighbour', (_, job, to, beside, result) => {
    expect(moveTo(line, job, to)).toEqual({ job, beside });
    expect(placed(line, job, to)).toEqual(result);
  });

  it('to where it stands is none', () => {
    expect(moveTo(line, 'a', 0)).toBeUndefined();
    expect(moveTo(line, 'a', -1)).toBeUndefined();
    expect(moveTo(line, 'd', 7)).toBeUndefined();
  });

  it('leads where the server would put it, from everywhere to everywhere', () => {
    for (const job of line) {
      for (let to = 0; to < line.length; to += 1) {
        const move = moveTo(line, job, to);
        expect(move ? asTheServerDoes(line, move) : line).toEqual(placed(line, job, to));
      }
    }
  });
});

/** Takes the job out and puts it right before or after the other. */
function asTheServerDoes(line: readonly string[], { job, beside }: NonNullable<ReturnType<typeof moveTo>>): string[] {
  const others = line.filter((one) => one !== job);
  const at = 'before' in beside ? others.indexOf(beside.before) : others.indexOf(beside.after) + 1;
  return others.toSpliced(at, 0, job);
}

describe('the queue with a line in another order', () => {
  const items = [
    place({ position: 1, mine: false }),
    place({ position: 2 }),
    place({ position: 3, mine: false, owner: 'chen' }),
    place({ position: 4 }),
    place({ position: 5 }),
  ];

  it('exchanges the turns of the line and leaves everybody else where they are', () => {
    expect(names(arranged(items, ['j5', 'j2', 'j4']))).toEqual([
      'A100 1 wang',
      'A100 2 job-5',
      'A100 3 chen',
      'A100 4 job-2',
      'A100 5 job-4',
    ]);
  });

  it('exchanges them in every lane in which the jobs stand', () => {
    const twice = [
      place({ position: 1 }),
      place({ position: 2 }),
      place({ position: 1, lane: H100 }),
      place({ position: 9, lane: H100, job_id: 'j2', name: 'job-2' }),
    ];
    expect(names(arranged(twice, ['j2', 'j1']))).toEqual(['A100 1 job-2', 'A100 2 job-1', 'H100 1 job-2', 'H100 9 job-1']);
  });

  it('passes over jobs that are not there', () => {
    expect(names(arranged(items.slice(0, 4), ['j5', 'j4', 'j2']))).toEqual(['A100 1 wang', 'A100 2 job-4', 'A100 3 chen', 'A100 4 job-2']);
  });

  it('keeps unchanged places as they are, so that their rows are not drawn again', () => {
    expect(arranged(items, ['j2', 'j5', 'j4'])[1]).toBe(items[1]);
  });

  it('knows whether it stands so already', () => {
    expect(standsAs(items, ['j2', 'j4', 'j5'])).toBe(true);
    expect(standsAs(items, ['j4', 'j2', 'j5'])).toBe(false);
    expect(standsAs(items, ['j9', 'j2', 'j4', 'j5'])).toBe(true);
  });
});
