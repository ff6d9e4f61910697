import { describe, expect, it } from 'vitest';
import { cards, node } from '@/testing/samples';
import { groupNodes } from '../arrange';
import { columnsIn, COMPACT, densityFor, heightOf, nodeAt, placeOf, ROOMY, rowsOf, step } from './layout';

const five = Array.from({ length: 5 }, (_, at) => node({ name: `a-${at}`, gpus: cards(8) }));
const one = node({ name: 't-0', gpu_model: 'T4', gpus: cards(16) });
/** A heading, three rows of two, two and one; a heading, one row of one. */
const rows = rowsOf([...groupNodes(five, 'model'), ...groupNodes([one], 'model')], 2, COMPACT);
const go = (from: string, key: string, whole = false) => {
  const place = step(rows, placeOf(rows, from)!, key, whole);
  return place && nodeAt(rows, place)?.name;
};

describe('the layout of the heat map', () => {
  it('gives few nodes room for words', () => {
    expect(densityFor(1)).toBe(ROOMY);
    expect(densityFor(1000)).toBe(COMPACT);
  });

  it('has at least one column', () => {
    expect(columnsIn(10, COMPACT)).toBe(1);
    expect(columnsIn(172 * 3 + 16, COMPACT)).toBe(3);
  });

  it('puts headings above rows of tiles', () => {
    expect(rows.map((row) => (row.kind === 'heading' ? row.group.key : row.nodes.length))).toEqual(['A100', 2, 2, 1, 'T4', 1]);
  });

  it('gives nodes with more GPUs more lines', () => {
    expect(heightOf(rows[5]!, COMPACT) - heightOf(rows[1]!, COMPACT)).toBe(COMPACT.line);
  });
});

describe('the arrow keys', () => {
  it('go from tile to tile and over headings', () => {
    expect(go('a-0', 'ArrowRight')).toBe('a-1');
    expect(go('a-1', 'ArrowRight')).toBe('a-2');
    expect(go('a-4', 'ArrowRight')).toBe('t-0');
    expect(go('t-0', 'ArrowLeft')).toBe('a-4');
    expect(go('a-1', 'ArrowDown')).toBe('a-3');
    expect(go('a-3', 'ArrowDown')).toBe('a-4');
    expect(go('t-0', 'ArrowUp')).toBe('a-4');
  });

  it('stay where there is nothing further', () => {
    expect(go('a-0', 'ArrowLeft')).toBe('a-0');
    expect(go('a-0', 'ArrowUp')).toBe('a-0');
    expect(go('t-0', 'ArrowRight')).toBe('t-0');
    expect(go('t-0', 'PageDown')).toBe('t-0');
  });

  it('reach the ends of the row, and with Ctrl those of the map', () => {
    expect(go('a-1', 'Home')).toBe('a-0');
    expect(go('a-2', 'End')).toBe('a-3');
    expect(go('a-3', 'Home', true)).toBe('a-0');
    expect(go('a-3', 'End', true)).toBe('t-0');
    expect(go('t-0', 'PageUp')).toBe('a-0');
  });

  it('leave other keys alone', () => {
    expect(go('a-0', 'x')).toBeNull();
  });
});
