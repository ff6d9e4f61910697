import { describe, expect, it } from 'vitest';
import { axisLabels } from './axis';
import type { Unit } from './axis';

const labels = (unit: Unit, first: number, step: number, count = 4) =>
  axisLabels(
    Array.from({ length: count }, (_, at) => first + at * step),
    unit,
    'en',
    (value) => `${value}s`,
  );

describe('the marks of an axis', () => {
  it('have the digits that tell them apart, and no more', () => {
    expect(labels('number', 0, 0.5)).toEqual(['0', '0.5', '1', '1.5']);
    expect(labels('number', 0, 0.0025)).toEqual(['0', '0.0025', '0.005', '0.0075']);
    expect(labels('number', 41_000, 200)).toEqual(['41,000', '41,200', '41,400', '41,600']);
    expect(labels('number', 5.6e-4, 2e-5)).toEqual(['5.6e-4', '5.8e-4', '6e-4', '6.2e-4']);
    expect(labels('number', 1_000_000, 250_000)).toEqual(['1M', '1.25M', '1.5M', '1.75M']);
  });

  it('are never the same twice, however small or large the values', () => {
    for (const unit of ['number', 'percent', 'part', 'bytes'] as const)
      for (let power = -9; power < 12; power += 1)
        for (const factor of unit === 'bytes' ? [1] : [1, 2, 2.5, 5]) {
          const step = unit === 'bytes' ? 2 ** (power + 9) : factor * 10 ** power;
          for (const first of [0, 7 * step, -2 * step]) {
            const told = labels(unit, first, step, 5);
            expect(new Set(told).size, `${unit} from ${first} by ${step}: ${told.join(', ')}`).toBe(5);
          }
        }
  });

  it('are parts in percent', () => {
    expect(labels('part', 0, 0.25)).toEqual(['0 %', '25 %', '50 %', '75 %']);
    expect(labels('part', 0, 0.001)).toEqual(['0 %', '0.1 %', '0.2 %', '0.3 %']);
  });

  it('are bytes in one unit', () => {
    expect(labels('byteRate', 0, 2 ** 29, 3)).toEqual(['0 B/s', '0.5 GiB/s', '1 GiB/s']);
    expect(labels('bytes', 0, 2 ** 29)).toEqual(['0 B', '0.5 GiB', '1 GiB', '1.5 GiB']);
    expect(labels('bytes', 0, 2 ** 28, 6)).toEqual(['0 B', '0.25 GiB', '0.5 GiB', '0.75 GiB', '1 GiB', '1.25 GiB']);
  });

  it('are times in the words of the chart', () => {
    expect(labels('seconds', 0, 60, 2)).toEqual(['0s', '60s']);
  });
});
