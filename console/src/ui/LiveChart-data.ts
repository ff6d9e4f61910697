/** What a chart's numbers say in words, and the form in which they are drawn. */
import type { AlignedData } from 'uplot';
import type { ChartSeries } from './LiveChart';
import type { Tone } from './Status';

const TONES: Tone[] = ['blue', 'violet', 'green', 'amber', 'red', 'grey'];

/** The colour of a line and how strong it is: a second round of the same colours is paler. */
export function lineTone(series: ChartSeries, index: number): { tone: Tone; pale: boolean } {
  return series.tone ? { tone: series.tone, pale: false } : { tone: TONES[index % TONES.length]!, pale: index >= TONES.length };
}

export interface Summary {
  latest: number;
  min: number;
  max: number;
}

/** Nothing when nothing was measured. The extremes count the highest values too. */
export function summarise({ values, high }: ChartSeries): Summary | null {
  let latest: number | null = null;
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index]!;
    if (value === null) continue;
    latest = value;
    min = Math.min(min, value);
    max = Math.max(max, value, high?.[index] ?? value);
  }
  return latest === null ? null : { latest, min, max };
}

/** One row of numbers per line, and one more for each that has a band. */
export function alignedData(times: number[], series: ChartSeries[]): AlignedData {
  return [times, ...series.flatMap(({ values, high }) => (high ? [values, high] : [values]))];
}

/** Where each series stands among those rows. */
export function rowsOf(series: ChartSeries[]): number[] {
  let row = 1;
  return series.map(({ high }) => {
    const at = row;
    row += high ? 2 : 1;
    return at;
  });
}

/** Changes only when other lines are drawn, not when they have other values. */
export const shapeOf = (series: ChartSeries[]): string =>
  JSON.stringify(series.map(({ label, tone, dashed, high }) => [label, tone, dashed, high !== undefined]));

/** From zero, or lower, to the given top, or higher where values pass it. */
export function valueRange(min: number | null, max: number | null, top: number | undefined): [number, number] {
  const low = Math.min(0, min ?? 0);
  const high = max ?? 0;
  if (top !== undefined && high <= top) return [low, top];
  if (high <= low) return [low, low + 1];
  return [low, high + (high - low) * 0.08];
}
