import { render, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import LiveChart from './LiveChart';
import type { ChartSeries } from './LiveChart';
import { alignedData, fittedRange, lineLook, loneValues, rowsOf, shapeOf, summarise, valueRange } from './LiveChart-data';
import { valuesAt, whenSaid } from './LiveChart-tooltip';

const cpu: ChartSeries = { label: 'worker-0', values: [1, null, 3], high: [2, null, 9] };
const limit: ChartSeries = { label: 'limit', values: [8, 8, 8], dashed: true, tone: 'grey' };

describe('a chart', () => {
  it('says the latest, the lowest and the highest of each line', () => {
    render(<LiveChart label="CPU" times={[1, 2, 3]} series={[cpu]} format={(value) => `${value} cores`} />);
    expect(screen.getByRole('figure', { name: 'CPU' }).textContent).toContain('worker-0 3 cores, lowest 1 cores, highest 9 cores');
  });

  it('says when there is nothing to draw', () => {
    render(<LiveChart label="CPU" times={[1, 2]} series={[{ label: 'a', values: [null, null] }]} format={String} />);
    expect(screen.getByText('No measurements in this period')).toBeTruthy();
  });
});

describe('the numbers of a chart', () => {
  it('are summed up without those that are missing', () => {
    expect(summarise(cpu)).toEqual({ latest: 3, min: 1, max: 9 });
    expect(summarise({ label: 'x', values: [4, null] })).toEqual({ latest: 4, min: 4, max: 4 });
    expect(summarise({ label: 'x', values: [null] })).toBeNull();
  });

  it('stand in rows, with one more for a band', () => {
    expect(alignedData([1, 2, 3], [cpu, limit])).toEqual([[1, 2, 3], cpu.values, cpu.high, limit.values]);
    expect(rowsOf([cpu, limit, cpu])).toEqual([1, 3, 4]);
  });

  it('are smoothed before what they were, which is told as the latest', () => {
    const loss: ChartSeries = { label: 'loss', raw: [4, 2, 1], values: [4, 3, 2] };
    expect(alignedData([1, 2, 3], [loss, limit])).toEqual([[1, 2, 3], loss.raw, loss.values, limit.values]);
    expect(rowsOf([loss, limit])).toEqual([2, 3]);
    expect(summarise(loss)).toEqual({ latest: 1, min: 1, max: 4 });
  });

  it('reach down to the lowest of a stretch as well', () => {
    const wide: ChartSeries = { ...cpu, low: [0.5, null, 2] };
    expect(alignedData([1, 2, 3], [wide])).toEqual([[1, 2, 3], wide.values, wide.high, wide.low]);
    expect(summarise(wide)).toEqual({ latest: 3, min: 0.5, max: 9 });
  });

  it('that are told seldom hold until the next', () => {
    const seldom: ChartSeries = { label: 'val_loss', values: [5, null, null], sparse: true };
    const facts = { series: [seldom, cpu], format: String, max: undefined, locale: 'en', sync: undefined, unit: undefined };
    expect(valuesAt(facts, { data: alignedData([1, 2, 3], facts.series) }, 1).map(({ label, value }) => [label, value])).toEqual([
      ['val_loss', 5],
    ]);
  });

  it('are told by their step where the axis counts steps', () => {
    expect(whenSaid({ steps: (step) => `step ${step}`, locale: 'en' }, 1200)).toBe('step 1200');
    expect(whenSaid({ steps: undefined, locale: 'en' }, 0)).toContain('1970');
  });

  it('are listed at a moment, the highest first', () => {
    const facts = { series: [cpu, limit], format: String, max: undefined, locale: 'en', sync: undefined, unit: undefined };
    const plot = { data: alignedData([1, 2, 3], [cpu, limit]) };
    expect(valuesAt(facts, plot, 2).map(({ label, value }) => [label, value])).toEqual([
      ['limit', 8],
      ['worker-0', 3],
    ]);
    expect(valuesAt(facts, plot, 1).map(({ label }) => label)).toEqual(['limit']);
  });
});

describe('values that need a dot', () => {
  it('are those without a line on either side', () => {
    expect(loneValues([1, 2, 3], [null, 5, null], [])).toEqual([1]);
    expect(loneValues([1, 2, 3, 4], [5, null, 6, 7], [])).toEqual([]);
    expect(
      loneValues(
        [1, 2, 3, 4],
        [5, 5, 6, 7],
        [
          [2, 3],
          [3, 4],
        ],
      ),
    ).toEqual([2, 3]);
  });
});

describe('the drawing', () => {
  it('is made anew for other lines, not for other values', () => {
    expect(shapeOf([cpu])).toBe(shapeOf([{ ...cpu, values: [5] }]));
    expect(shapeOf([cpu])).not.toBe(shapeOf([{ ...cpu, label: 'worker-1' }]));
    expect(shapeOf([cpu])).not.toBe(shapeOf([{ label: 'worker-0', values: [1] }]));
  });

  it('takes the same colours again, paler, for a ninth line', () => {
    const plain = { label: 'x', values: [] };
    expect(lineLook(plain, 0)).toEqual({ token: 'series-0', pale: false });
    expect(lineLook(plain, 8)).toEqual({ token: 'series-0', pale: true });
    expect(lineLook({ ...plain, tone: 'red' }, 8)).toEqual({ token: 'red', pale: false });
    expect(lineLook({ ...plain, colour: 3 }, 8)).toEqual({ token: 'series-3', pale: false });
  });

  it.each([
    [0, 4, 8, [0, 8]],
    [0, 10, 8, [0, 10.8]],
    [1, 10, undefined, [0, 10.8]],
    [0, 0, undefined, [0, 1]],
    [null, null, undefined, [0, 1]],
    [-5, 5, undefined, [-5, 5.8]],
  ] as const)('of values from %s to %s under %s reaches over %j', (min, max, top, range) => {
    expect(valueRange(min, max, top)).toEqual(range);
  });

  it.each([
    [2, 4, [1.88, 4.12]],
    [5, 5, [4.5, 5.5]],
    [0, 0, [-1, 1]],
    [null, null, [0, 1]],
  ] as const)('that follows values from %s to %s reaches over %j', (min, max, range) => {
    expect(fittedRange(min, max)).toEqual(range);
  });
});
