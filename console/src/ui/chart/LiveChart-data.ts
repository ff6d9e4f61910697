/** What a chart's numbers say in words, and the form in which they are drawn. */
import type { AlignedData } from 'uplot';
import type { ChartSeries } from './LiveChart';
import { SERIES, seriesToken } from '@/ui/theme/palette';

/** The token of a line's colour and how strong it is: a second round of the same colours is paler. */
export function lineLook({ tone, colour }: ChartSeries, index: number): { token: string; pale: boolean } {
  if (tone) return { token: tone, pale: false };
  return colour === undefined ? { token: seriesToken(index), pale: index >= SERIES } : { token: seriesToken(colour), pale: false };
}

export interface Summary {
  latest: number;
  min: number;
  max: number;
}

/** Nothing when nothing was measured. The extremes count the highest and lowest values too, and what was smoothed away. */
export function summarise({ values: drawn, high, low, raw }: ChartSeries): Summary | null {
  const values = raw ?? drawn;
  let latest: number | null = null;
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index]!;
    if (value === null) continue;
    latest = value;
    min = Math.min(min, value, low?.[index] ?? value);
    max = Math.max(max, value, high?.[index] ?? value);
  }
  return latest === null ? null : { latest, min, max };
}

type Row = 'raw' | 'values' | 'high' | 'low';
const ROWS: Row[] = ['raw', 'values', 'high', 'low'];

/** What is drawn of a line, the rearmost first. */
export const rowsFor = (series: ChartSeries): Row[] => ROWS.filter((row) => series[row] !== undefined);

/** One row of numbers per line, and more for each that has a band or was smoothed. */
export function alignedData(times: number[], series: ChartSeries[]): AlignedData {
  return [times, ...series.flatMap((line) => rowsFor(line).map((row) => line[row]!))];
}

/** Where each series stands among those rows. */
export function rowsOf(series: ChartSeries[]): number[] {
  let row = 1;
  return series.map((line) => {
    const rows = rowsFor(line);
    const at = row + rows.indexOf('values');
    row += rows.length;
    return at;
  });
}

/** The values that no line leads to or goes on from: they need a dot to be seen. */
export function loneValues(
  times: ArrayLike<number>,
  values: ArrayLike<number | null | undefined>,
  breaks: [from: number, to: number][],
): number[] {
  const told = Array.from(values, (value, index) => (value == null ? -1 : index)).filter((index) => index >= 0);
  const apart = (before: number | undefined, after: number | undefined) =>
    before === undefined || after === undefined || breaks.some(([from]) => times[before]! <= from && from < times[after]!);
  return told.filter((index, place) => apart(told[place - 1], index) && apart(index, told[place + 1]));
}

/** Changes only when other lines are drawn, not when they have other values. */
export const shapeOf = (series: ChartSeries[]): string =>
  JSON.stringify(series.map((line) => [line.label, line.tone, line.colour, line.dashed, line.sparse, ...rowsFor(line)]));

/** From zero, or lower, to the given top, or higher where values pass it. */
export function valueRange(min: number | null, max: number | null, top: number | undefined): [number, number] {
  const low = Math.min(0, min ?? 0);
  const high = max ?? 0;
  if (top !== undefined && high <= top) return [low, top];
  if (high <= low) return [low, low + 1];
  return [low, high + (high - low) * 0.08];
}

/** As far as the values reach, with a little air; one value alone stands in the middle. */
export function fittedRange(min: number | null, max: number | null): [number, number] {
  if (min === null || max === null) return [0, 1];
  const air = min === max ? Math.abs(min) * 0.1 || 1 : (max - min) * 0.06;
  return [min - air, max + air];
}
