/** The charts of what a training told: which lines stand together, over what, and how smooth. */
import type { JobDetail } from '@/api/jobs';
import type { JobMetrics, MetricSeries } from '@/api/metrics';
import type { ChartMoment, ChartSeries } from '@/ui/chart/LiveChart';

export type Arrangement = 'each' | 'related' | 'one';
export type MetricAxis = 'step' | 'time';

export interface Look {
  arrangement: Arrangement;
  axis: MetricAxis;
  /** From 0, as it was told, to nearly 1. */
  smoothing: number;
  logarithmic: boolean;
}

export interface MetricChart {
  /** Empty where it is of too many to name. */
  title: string;
  /** Charts of one section stand below its name; most have none. */
  section: string;
  x: number[];
  series: ChartSeries[];
}

type Values = (number | null)[];
/** With the number of its colour, where it is not its place that decides. */
type Line = MetricSeries & { colour?: number };

/** Bands that lie over each other hide the lines. */
const MOST_BANDS = 2;
/** So many names make the title of a chart of all; of more it has none. */
const MOST_NAMED = 3;
/** Words that say on which data a metric was measured, not which metric it is. */
const DATA = '(?:train(?:ing)?|val(?:id(?:ation)?)?|eval(?:uation)?|test|dev)';
const ONLY_DATA = new RegExp(`^${DATA}$`, 'i');
const BESIDE_DATA = new RegExp(`^${DATA}[_.-](?=.)|(?<=.)[_.-]${DATA}$`, 'gi');

/** What metrics that belong together have in common: the loss of training and of validation, all parts of one prefix. */
export function relation(name: string): string {
  const part = name.split('/').find((each) => each !== '' && !ONLY_DATA.test(each));
  return part?.replace(BESIDE_DATA, '') ?? name;
}

const GROUPED: Record<Arrangement, (name: string) => string> = { each: (name) => name, related: relation, one: () => '' };

/** No line leads over the places where the job began again. */
export function chartsOf({ series }: { series: Line[] }, look: Look, restarts: number[] = []): MetricChart[] {
  const groups = new Map<string, Line[]>();
  for (const line of series) {
    const key = GROUPED[look.arrangement](line.name);
    groups.set(key, [...(groups.get(key) ?? []), line]);
  }
  const charts = [...groups].map(([key, lines]) => chartOf(key, lines, look, restarts));
  return charts.sort((a, b) => Number(a.section !== '') - Number(b.section !== '') || a.section.localeCompare(b.section));
}

function chartOf(key: string, lines: Line[], look: Look, restarts: number[]): MetricChart {
  const names = [...new Set(lines.map(({ name }) => name))];
  const several = new Set(lines.map(({ task }) => task)).size > 1;
  const own = lines.map((line) => (look.axis === 'step' ? line.steps : line.times));
  const x = joined(own);
  const title = names.length === 1 ? names[0]! : key || (names.length <= MOST_NAMED ? names.join(', ') : '');
  return {
    title,
    section: look.arrangement === 'each' && title.includes('/') ? title.slice(0, title.indexOf('/')) : '',
    x,
    series: lines.map((line, index) => ({
      label: !several ? line.name : names.length === 1 ? line.task : `${line.name} · ${line.task}`,
      sparse: true,
      ...(line.colour !== undefined && { colour: line.colour }),
      breaks: pauses(line.values, own[index]!, restarts),
      ...rows(line, look, lines.length <= MOST_BANDS, (values) => placed(values, own[index]!, x)),
    })),
  };
}

function rows(
  line: MetricSeries,
  { smoothing, logarithmic }: Look,
  banded: boolean,
  place: (values: Values) => Values,
): Pick<ChartSeries, 'values' | 'raw' | 'high' | 'low'> {
  const drawn = (values: Values) => place(logarithmic ? values.map((value) => (value !== null && value > 0 ? value : null)) : values);
  if (smoothing > 0) return { raw: drawn(line.values), values: drawn(smoothed(line.values, smoothing)) };
  const spread = banded && line.high.some((value, index) => value !== line.low[index]);
  return { values: drawn(line.values), ...(spread && { high: drawn(line.high), low: drawn(line.low) }) };
}

/** A moving mean in which the past fades; the first values are not pulled towards zero. */
export function smoothed(values: Values, weight: number): Values {
  let sum = 0;
  let faded = 1;
  return values.map((value) => {
    if (value === null) return null;
    sum = sum * weight + value * (1 - weight);
    faded *= weight;
    return sum / (1 - faded);
  });
}

/** From the last value before each restart to the first after it. */
function pauses(values: Values, own: number[], restarts: number[]): [number, number][] {
  if (restarts.length === 0) return [];
  const told = own.filter((_, index) => values[index] !== null);
  return restarts.flatMap((restart): [number, number][] => {
    const after = told.findIndex((place) => place >= restart);
    return after > 0 ? [[told[after - 1]!, told[after]!]] : [];
  });
}

/** Every place that one of the lines has, in order. */
function joined(all: number[][]): number[] {
  const [first = [], ...others] = all;
  return others.length === 0 ? first : [...new Set(all.flat())].sort((a, b) => a - b);
}

function placed(values: Values, own: number[], x: number[]): Values {
  if (own === x) return values;
  const at = new Map(own.map((place, index) => [place, values[index] ?? null]));
  return x.map((place) => at.get(place) ?? null);
}

/** Where attempts after the first went on, on a chart's axis. */
export function resumePoints(attempts: JobDetail['attempts'], axis: MetricAxis, word: (number: number) => string): ChartMoment[] {
  return attempts.slice(1).flatMap(({ number, resumed, started_at: started }) => {
    const at = axis === 'time' ? (started === null ? null : Date.parse(started)) : (resumed?.step ?? null);
    return at === null ? [] : [{ at, label: word(number) }];
  });
}

/** The metrics that the tasks told of last as something that is not a number. */
export const broken = ({ names }: Pick<JobMetrics, 'names'>): JobMetrics['names'] => names.filter(({ last }) => last.value === null);
