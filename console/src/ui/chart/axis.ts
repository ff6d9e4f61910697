/** The marks of a chart's upright axis: as many digits as tell them apart, and the unit that suits them. */
import { formatBytes } from '@/ui/words/format';

/** What the values count; `byteRate` is bytes per second, `part` goes from 0 to 1 and is read as percent. */
export type Unit = 'number' | 'bytes' | 'byteRate' | 'percent' | 'part' | 'seconds';

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;
const POWERS_OF_TWO = Array.from({ length: 56 }, (_, power) => 2 ** power);
const SPANS = [1, 2, 5, 10, 15, 30, ...[1, 2, 5, 10, 15, 30].map((count) => count * MINUTE)].concat(
  [1, 2, 3, 6, 12].map((count) => count * HOUR),
  [1, 2, 5, 10, 20, 50, 100].map((count) => count * DAY),
);

/** The distances that two marks may have; of plain numbers uPlot's own. */
export const INCREMENTS: Partial<Record<Unit, number[]>> = { bytes: POWERS_OF_TWO, byteRate: POWERS_OF_TWO, seconds: SPANS };

/** `format` says what has words of its own, such as times. */
export function axisLabels(splits: readonly number[], unit: Unit, locale: string, format: (value: number) => string): string[] {
  if (unit === 'seconds') return splits.map(format);
  if (unit === 'bytes') return byteLabels(splits);
  if (unit === 'byteRate') return byteLabels(splits).map((label) => `${label}/s`);
  if (unit === 'percent') return numberLabels(splits, locale).map((label) => `${label} %`);
  if (unit === 'part')
    return numberLabels(
      splits.map((value) => value * 100),
      locale,
    ).map((label) => `${label} %`);
  return numberLabels(splits, locale);
}

/** All in the unit of the largest: half a GiB below a whole one is 0.5, not 512. */
function byteLabels(splits: readonly number[]): string[] {
  const most = Math.max(...splits.map(Math.abs));
  const power = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log2(most || 1) / 10)));
  const digits = decimals(stepOf(splits) / 1024 ** power, 3);
  return splits.map((value) => (value === 0 ? formatBytes(0) : `${Number((value / 1024 ** power).toFixed(digits))} ${UNITS[power]}`));
}

function numberLabels(splits: readonly number[], locale: string): string[] {
  const step = stepOf(splits);
  const most = Math.max(...splits.map(Math.abs));
  // The digits of the largest that reach down to the distance of two marks.
  const counting = Math.min(15, Math.max(1, Math.floor(Math.log10(most || 1)) + decimals(step, 15) + 1));
  if (most >= 1e5) {
    const form = new Intl.NumberFormat(locale, {
      notation: 'compact',
      maximumSignificantDigits: Math.max(counting, significant(most, step)),
    });
    return splits.map((value) => form.format(value));
  }
  if (most !== 0 && most < 1e-3) {
    const digits = Math.max(0, significant(most, step) - 1);
    return splits.map((value) => (value === 0 ? '0' : exponential(value, digits)));
  }
  const form = new Intl.NumberFormat(locale, { maximumFractionDigits: Math.min(15, decimals(step, 15)) });
  return splits.map((value) => form.format(value));
}

/** The smallest number with so many digits that a multiple of `step` is exact. */
function decimals(step: number, most: number): number {
  for (let digits = 0; digits < most; digits += 1) {
    const shifted = step * 10 ** digits;
    if (shifted >= 0.5 && Math.abs(shifted - Math.round(shifted)) < 1e-6 * shifted) return digits;
  }
  return most;
}

/** How many digits of the largest are needed for a distance of `step` to show. */
function significant(most: number, step: number): number {
  const magnitude = Math.floor(Math.log10(step));
  const mantissa = step / 10 ** magnitude;
  const more = Math.abs(mantissa - Math.round(mantissa)) < 1e-6 ? 0 : 1;
  return Math.min(15, Math.max(1, Math.floor(Math.log10(most)) - magnitude + 1 + more));
}

function exponential(value: number, digits: number): string {
  return value
    .toExponential(digits)
    .replace(/(\.\d*?)0+e/, '$1e')
    .replace(/\.e/, 'e');
}

const stepOf = (splits: readonly number[]): number =>
  (splits.length > 1 ? Math.abs(splits[1]! - splits[0]!) : Math.abs(splits[0] ?? 0)) || 1;
