/** Trends as the lines of four charts: held, queued, use, waiting time. */
import type { TrendLine, Trends } from '@/api/trends';
import type { Translate } from '@/app/i18n';
import type { ChartProps, ChartSeries } from '@/ui/chart/LiveChart';
import { formatDuration, trim } from '@/ui/words/format';

/** More lines than that nobody tells apart; the others are those that held the least. */
const SHOWN = 8;

type Measure = 'held' | 'queued' | 'use' | 'wait';
export type TrendChartProps = Pick<ChartProps, 'label' | 'times' | 'series' | 'format' | 'max' | 'unit'>;

/** How a line is called. */
export type LineName = (key: string) => string;

/** `colour`: of the line of this key; without it the largest comes first. */
export function chartsOf(trends: Trends, name: LineName, t: Translate, colour?: (key: string) => number): TrendChartProps[] {
  const times = timesOf(trends);
  const lines = largest(trends.lines);
  const of = (measure: Measure): ChartSeries[] =>
    lines.map(({ key, points }) => {
      const line: ChartSeries = { label: name(key), values: aligned(points, times, (point) => point[measure]) };
      if (key === 'others') line.tone = 'grey';
      else if (colour) line.colour = colour(key);
      return line;
    });
  const numbers = times.map((at) => Date.parse(at));
  return [
    { label: t('trend.held'), times: numbers, series: [...of('held'), ...capacityOf(trends, times, t)], format: amount },
    { label: t('trend.queued'), times: numbers, series: of('queued'), format: amount },
    { label: t('trend.use'), times: numbers, series: of('use'), format: percent, unit: 'part', max: 1 },
    { label: t('trend.wait'), times: numbers, series: of('wait'), format: (seconds) => formatDuration(seconds, t), unit: 'seconds' },
  ];
}

export function isEmpty({ lines }: Trends): boolean {
  return lines.every(({ points }) => points.every(({ held, queued, starts, ended }) => held + queued + starts + ended === 0));
}

/** How many lines are left out. */
export const hiddenLines = ({ lines }: Trends): number => Math.max(0, lines.length - SHOWN);

function largest(lines: readonly TrendLine[]): TrendLine[] {
  const sums = new Map(lines.map((line) => [line, line.points.reduce((whole, { held, queued }) => whole + held + queued, 0)]));
  return lines.toSorted((a, b) => sums.get(b)! - sums.get(a)! || a.key.localeCompare(b.key)).slice(0, SHOWN);
}

function timesOf({ lines, capacity }: Trends): string[] {
  const all = new Set([...lines, ...capacity].flatMap(({ points }) => points.map(({ at }) => at)));
  return [...all].toSorted();
}

function aligned<Point extends { at: string }>(
  points: readonly Point[],
  times: readonly string[],
  of: (point: Point) => number | null,
): (number | null)[] {
  const known = new Map(points.map((point) => [point.at, point]));
  return times.map((at) => {
    const point = known.get(at);
    return point ? of(point) : null;
  });
}

/** What there was in all, as one dashed line above what was held; processors are counted apart. */
function capacityOf({ capacity }: Trends, times: readonly string[], t: Translate): ChartSeries[] {
  const cards = capacity.filter(({ model }) => model !== 'cpu').map(({ points }) => aligned(points, times, ({ total }) => total));
  if (cards.length === 0) return [];
  const values = times.map((_, index) =>
    cards.reduce<number | null>((sum, row) => (row[index] === null ? sum : (sum ?? 0) + row[index]!), null),
  );
  return [{ label: t('trend.total'), values, tone: 'grey', dashed: true }];
}

/** Means over an hour are seldom whole. */
const amount = (cards: number): string => (cards < 10 ? String(Math.round(cards * 100) / 100) : trim(cards));
const percent = (part: number): string => `${Math.round(part * 100)} %`;
