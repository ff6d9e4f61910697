/** How uPlot draws our charts. */
import type { Axis, Band, Options, Series } from 'uplot';
import uPlot from 'uplot';
import { timeZone } from '@/app/time-zone';
import { axisLabels, INCREMENTS } from './axis';
import type { Unit } from './axis';
import type { ChartMoment, ChartSeries } from './LiveChart';
import { fittedRange, lineLook, loneValues, rowsFor, valueRange } from './LiveChart-data';
import { tokenColour } from '@/ui/theme/theme-colours';

export interface ChartFacts {
  series: ChartSeries[];
  format: (value: number) => string;
  max: number | undefined;
  locale: string;
  sync: string | undefined;
  unit: Unit | undefined;
  moments?: ChartMoment[] | undefined;
  steps?: ((step: number) => string) | undefined;
  fitted?: boolean | undefined;
  logarithmic?: boolean | undefined;
}

const DAY = 86_400_000;
const MINUTE = 60_000;
const FONT = '11px system-ui, sans-serif';
/** More dots than that on one cursor hide the lines. */
const MOST_POINTS = 12;
const STEP_INCREMENTS = Array.from({ length: 13 }, (_, power) => [1, 2, 5].map((factor) => factor * 10 ** power)).flat();
/** Thinner lines are not told apart by their colour. */
const LINE = 1.5;

/** `facts` is asked at each drawing, so that new words and bounds need no new plot. */
export function chartOptions(facts: () => ChartFacts, size: { width: number; height: number }, hooks: Options['hooks']): Options {
  const { series, sync, steps, logarithmic } = facts();
  return {
    ...size,
    ms: 1,
    padding: [8, 20, 0, 0],
    legend: { show: false },
    ...drawnRows(facts),
    scales: { x: { time: !steps }, y: { distr: logarithmic ? 3 : 1, range: (_, min, max) => yRange(facts(), min, max) } },
    axes: [steps ? stepAxis(facts) : timeAxis(facts), valueAxis(facts)],
    cursor: {
      y: false,
      points: { size: 6, show: series.length <= MOST_POINTS },
      drag: { x: true, y: false, dist: 8 },
      ...(sync === undefined ? {} : { sync: { key: sync, setSeries: false } }),
    },
    hooks: { ...hooks, drawAxes: [(plot) => drawMoments(plot, facts().moments ?? [])] },
  };
}

function drawnRows(facts: () => ChartFacts): { series: Series[]; bands: Band[] } {
  const rows: Series[] = [{}];
  const bands: Band[] = [];
  for (const [index, line] of facts().series.entries()) {
    const { token, pale } = lineLook(line, index);
    const breaks = () => facts().series[index]?.breaks ?? [];
    const colour = () => tokenColour(token) + (pale ? '90' : '');
    const hidden: Series = {
      label: line.label,
      stroke: 'transparent',
      width: 0,
      points: { show: false },
      ...(line.sparse && { gaps: (plot) => breaks().map((ends) => ends.map((at) => plot.valToPos(at, 'x', true)) as [number, number]) }),
    };
    const parts: Record<ReturnType<typeof rowsFor>[number], Series> = {
      raw: { ...hidden, stroke: () => `${tokenColour(token)}40`, width: 1 },
      // A lone value has no line: uPlot draws a dot for it.
      values: {
        ...hidden,
        stroke: colour,
        width: LINE,
        ...(line.sparse ? { points: { show: false, filter: ({ data }, row) => loneValues(data[0], data[row]!, breaks()), size: 5 } } : {}),
        ...(line.dashed ? { dash: [5, 4] } : {}),
      },
      high: hidden,
      low: hidden,
    };
    const drawn = rowsFor(line);
    const at = Object.fromEntries(drawn.map((row, place) => [row, rows.length + place]));
    if (line.high) bands.push({ series: [at.high!, at.low ?? at.values!], fill: () => `${tokenColour(token)}26` });
    rows.push(...drawn.map((row) => parts[row]));
  }
  return { series: rows, bands };
}

function yRange({ max: top, fitted, logarithmic }: ChartFacts, min: number | null, max: number | null): [number, number] {
  if (logarithmic) return min === null || max === null ? [0.1, 1] : (uPlot.rangeLog(min, max, 10, false) as [number, number]);
  return fitted ? fittedRange(min, max) : valueRange(min, max, top);
}

const axisLook = (): Axis => ({
  stroke: () => tokenColour('muted'),
  font: FONT,
  grid: { stroke: () => tokenColour('border'), width: 1 },
  ticks: { show: false },
});

function stepAxis(facts: () => ChartFacts): Axis {
  return {
    ...axisLook(),
    size: 26,
    gap: 6,
    space: 64,
    grid: { show: false },
    // There is no half a step.
    incrs: STEP_INCREMENTS,
    values: (_, splits) => {
      const form = new Intl.NumberFormat(facts().locale, { notation: 'compact', maximumSignificantDigits: 4 });
      return splits.map((step) => form.format(step));
    },
  };
}

function timeAxis(facts: () => ChartFacts): Axis {
  return {
    ...axisLook(),
    size: 26,
    gap: 6,
    space: 72,
    grid: { show: false },
    values: (_, splits, __, ___, increment) => {
      const { locale } = facts();
      const form = new Intl.DateTimeFormat(locale, { ...timeForm(increment), timeZone: timeZone() });
      return splits.map((at) => form.format(at));
    },
  };
}

/** As much of the time as the distance between two marks needs. */
function timeForm(increment: number): Intl.DateTimeFormatOptions {
  if (increment >= DAY) return { month: 'numeric', day: 'numeric' };
  const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  return increment >= MINUTE ? clock : { ...clock, second: '2-digit' };
}

function valueAxis(facts: () => ChartFacts): Axis {
  const { unit = 'number', logarithmic } = facts();
  const incrs = logarithmic ? undefined : INCREMENTS[unit];
  return {
    ...axisLook(),
    gap: 6,
    space: 28,
    ...(incrs && { incrs }),
    size: (plot, labels) => labelWidth(plot, labels),
    values: (_, splits) => {
      const { format, locale } = facts();
      // Of powers of ten some have no mark.
      if (logarithmic) return splits.map((value) => (value === null ? '' : format(value)));
      return axisLabels(splits, unit, locale, format);
    },
  };
}

function labelWidth(plot: uPlot, labels: string[] | null): number {
  if (!labels) return 48;
  plot.ctx.font = FONT;
  const widest = Math.max(0, ...labels.map((label) => plot.ctx.measureText(label ?? '').width));
  return Math.max(40, Math.ceil(widest) + 16);
}

/** Behind the lines: a dashed upright at each moment, its word beside it. */
function drawMoments({ ctx, bbox, valToPos }: uPlot, moments: ChartMoment[]): void {
  const scale = devicePixelRatio;
  const [gap, height] = [4 * scale, 14 * scale];
  ctx.save();
  ctx.font = FONT.replace('11px', `${11 * scale}px`);
  ctx.strokeStyle = tokenColour('border-strong');
  ctx.lineWidth = scale;
  ctx.setLineDash([3 * scale, 3 * scale]);
  ctx.textAlign = 'left';
  ctx.textBaseline = 'middle';
  for (const { at, label } of moments) {
    const x = Math.round(valToPos(at, 'x', true));
    if (x < bbox.left || x > bbox.left + bbox.width) continue;
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    const { width } = ctx.measureText(label);
    const left = x + gap + width > bbox.left + bbox.width ? x - gap - width : x + gap;
    ctx.fillStyle = tokenColour('surface');
    ctx.fillRect(left - scale, bbox.top, width + 2 * scale, height);
    ctx.fillStyle = tokenColour('muted');
    ctx.fillText(label, left, bbox.top + height / 2);
  }
  ctx.restore();
}
