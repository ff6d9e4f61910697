import { describe, expect, it } from 'vitest';
import type { MetricSeries } from '@/api/metrics';
import { attempt } from '@/testing/samples';
import { broken, chartsOf, relation, resumePoints, smoothed } from './charts';
import { formatMetric } from './format';
import type { Look } from './charts';

function series(part: Partial<MetricSeries> = {}): MetricSeries {
  const { steps = [10, 20, 30], values = [3, 2, 1] } = part;
  return {
    name: 'loss',
    role: 'worker',
    task: 'worker-0',
    attempt: 1,
    steps,
    times: steps.map((step) => step * 1000),
    values,
    low: values,
    high: values,
    ...part,
  };
}

const plain: Look = { arrangement: 'each', axis: 'step', smoothing: 0, logarithmic: false };
const charts = (lines: MetricSeries[], look: Partial<Look> = {}) => chartsOf({ series: lines }, { ...plain, ...look });

describe('the charts of metrics', () => {
  it('are one for each, those with a prefix below their section', () => {
    const made = charts([
      series({ name: 'train/loss' }),
      series({ name: 'lr' }),
      series({ name: 'eval/loss' }),
      series({ name: 'train/accuracy' }),
    ]);
    expect(made.map(({ section, title }) => [section, title])).toEqual([
      ['', 'lr'],
      ['eval', 'eval/loss'],
      ['train', 'train/loss'],
      ['train', 'train/accuracy'],
    ]);
    expect(made[0]).toMatchObject({ x: [10, 20, 30], series: [{ label: 'lr', values: [3, 2, 1] }] });
  });

  it('hold what is related together, each at its own steps', () => {
    const [loss, lr] = charts([series(), series({ name: 'lr' }), series({ name: 'val_loss', steps: [25], values: [2] })], {
      arrangement: 'related',
    });
    expect(loss).toMatchObject({ title: 'loss', x: [10, 20, 25, 30] });
    expect(loss!.series.map(({ label, values }) => [label, values])).toEqual([
      ['loss', [3, 2, null, 1]],
      ['val_loss', [null, null, 2, null]],
    ]);
    expect(lr!.title).toBe('lr');
  });

  it('are a single one where that is wanted', () => {
    const [all, ...none] = charts([series(), series({ name: 'lr' })], { arrangement: 'one' });
    expect(all!.series.map(({ label }) => label)).toEqual(['loss', 'lr']);
    expect(none).toEqual([]);
    expect(all!.title).toBe('loss, lr');
    expect(
      charts(
        ['a', 'b', 'c', 'd'].map((name) => series({ name })),
        { arrangement: 'one' },
      )[0]!.title,
    ).toBe('');
  });

  it('name the tasks where there are several', () => {
    const both = [series(), series({ task: 'worker-1' })];
    expect(charts(both)[0]!.series.map(({ label }) => label)).toEqual(['worker-0', 'worker-1']);
    expect(charts([...both, series({ name: 'val_loss' })], { arrangement: 'related' })[0]!.series.map(({ label }) => label)).toEqual([
      'loss · worker-0',
      'loss · worker-1',
      'val_loss · worker-0',
    ]);
  });

  it('go over time as well', () => {
    expect(charts([series()], { axis: 'time' })[0]!.x).toEqual([10_000, 20_000, 30_000]);
  });

  it('lead no line over a pause between attempts', () => {
    const told = [series({ steps: [10, 20, 30, 40], values: [4, 3, null, 1] }), series({ name: 'lr', steps: [50], values: [1] })];
    const look: Look = { ...plain, axis: 'time' };
    expect(chartsOf({ series: told }, look, [25_000, 90_000]).map((chart) => chart.series[0]!.breaks)).toEqual([[[20_000, 40_000]], []]);
    expect(chartsOf({ series: told }, look)[0]!.series[0]!.breaks).toEqual([]);
  });

  it('show how far the values of a stretch reach, unless they are smoothed or many', () => {
    const wide = series({ low: [2, 1, 0], high: [4, 3, 2] });
    expect(charts([wide])[0]!.series[0]).toMatchObject({ low: [2, 1, 0], high: [4, 3, 2] });
    expect(charts([series()])[0]!.series[0]).not.toHaveProperty('high');
    expect(charts([wide], { smoothing: 0.5 })[0]!.series[0]).not.toHaveProperty('high');
    expect(charts([wide, series({ ...wide, task: 'b' }), series({ ...wide, task: 'c' })])[0]!.series[0]).not.toHaveProperty('high');
  });

  it('keep what was told behind what is smoothed', () => {
    const [line] = charts([series({ values: [1, null, 3] })], { smoothing: 0.5 })[0]!.series;
    expect(line!.raw).toEqual([1, null, 3]);
    expect(line!.values).toEqual(smoothed([1, null, 3], 0.5));
  });

  it('by powers of ten leave out what has none', () => {
    expect(charts([series({ values: [1, 0, -1] })], { logarithmic: true })[0]!.series[0]!.values).toEqual([1, null, null]);
  });
});

describe('smoothing', () => {
  it('lets the past fade, and begins where the values begin', () => {
    expect(smoothed([4, 4, 4], 0.9).map((value) => Math.round(value! * 1e6) / 1e6)).toEqual([4, 4, 4]);
    expect(smoothed([0, 3], 0.5)[1]).toBeCloseTo(2);
  });
});

describe('what metrics have in common', () => {
  it.each([
    ['loss', 'loss'],
    ['val_loss', 'loss'],
    ['train/loss', 'loss'],
    ['eval/loss', 'loss'],
    ['loss_test', 'loss'],
    ['accuracy/top1', 'accuracy'],
    ['grad_norm', 'grad_norm'],
    ['train', 'train'],
    ['validation.accuracy', 'accuracy'],
    ['latest', 'latest'],
  ])('of %s is %s', (name, common) => {
    expect(relation(name)).toBe(common);
  });
});

describe('attempts on a chart', () => {
  const saved = { path: '/ckpt', step: 20, at: '2026-05-01T10:00:00Z', attempt: 1 };
  const attempts = [
    attempt({ started_at: '2026-05-01T09:00:00Z' }),
    attempt({ number: 2, started_at: '2026-05-01T10:00:00Z', resumed: saved }),
    attempt({ number: 3, started_at: null, resumed: { ...saved, step: null } }),
  ];

  it('are marked where they went on', () => {
    expect(resumePoints(attempts, 'step', (number) => `no. ${number}`)).toEqual([{ at: 20, label: 'no. 2' }]);
    expect(resumePoints(attempts, 'time', String)).toEqual([{ at: Date.parse('2026-05-01T10:00:00Z'), label: '2' }]);
  });
});

describe('the value of a metric', () => {
  it.each([
    [0.123456, '0.1235'],
    [1234.56, '1234.6'],
    [0.00001234, '1.23e-5'],
    [1e-4, '1e-4'],
    [0, '0'],
    [12_000_000, '1.2e7'],
    [-2.5, '-2.5'],
  ])('%d is written as %s', (value, text) => {
    expect(formatMetric(value)).toBe(text);
  });

  it('that is no number is told of', () => {
    const [sound, wrong] = [1, null].map((value) => ({ name: 'loss', tasks: ['worker-0'], last: { step: 3, time: 0, value } }));
    expect(broken({ names: [sound!, wrong!] })).toEqual([wrong]);
  });
});
