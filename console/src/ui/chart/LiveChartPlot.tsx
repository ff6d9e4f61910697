/** The drawn part of a chart: one uPlot that lives as long as its lines stay the same; new values are only set. */
import type { KeyboardEvent } from 'react';
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { useLocale, useT } from '@/app/i18n';
import { useTimeZone } from '@/app/time-zone';
import type { ChartProps } from './LiveChart';
import { alignedData, rowsFor, shapeOf } from './LiveChart-data';
import { chartOptions } from './LiveChart-options';
import type { ChartFacts } from './LiveChart-options';
import { ChartTooltip, valuesAt, whenSaid } from './LiveChart-tooltip';
import { watchTheme } from '@/ui/theme/theme-colours';
import style from './LiveChart.module.css';

const STEPS: Record<string, number> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  PageUp: -20,
  PageDown: 20,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

export function LiveChartPlot(props: ChartProps & { height: number }) {
  const { label, times, series, format, max, sync, unit, moments, steps, fitted, logarithmic, height } = props;
  const t = useT();
  const locale = useLocale();
  const zone = useTimeZone();
  const frame = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const facts = useRef<ChartFacts>(null!);
  facts.current = { series, format, max, locale, sync, unit, moments, steps, fitted, logarithmic };
  const [zoomed, setZoomed] = useState(false);
  const [reading, setReading] = useState<{ at: number; text: string } | null>(null);
  const shape = shapeOf(series);
  const stepped = steps !== undefined;

  const drawn = useRef<Drawn>({ times: [], series: [] });
  const data = useEffectEvent(() => {
    drawn.current = { times, series };
    return alignedData(times, series);
  });
  useLayoutEffect(() => {
    const place = frame.current!;
    const tooltip = new ChartTooltip(() => facts.current);
    const size = () => ({ width: Math.max(120, place.clientWidth), height });
    const made = new uPlot(
      chartOptions(() => facts.current, size(), {
        ready: [tooltip.attach],
        setCursor: [tooltip.update],
        setScale: [(of, key) => key === 'x' && setZoomed(isZoomed(of))],
      }),
      data(),
      place,
    );
    plot.current = made;
    const resize = new ResizeObserver(() => {
      if (place.clientWidth !== made.width) made.setSize(size());
    });
    resize.observe(place);
    const unwatch = watchTheme(() => made.redraw(false));
    return () => {
      unwatch();
      resize.disconnect();
      made.destroy();
      plot.current = null;
    };
  }, [shape, sync, unit, stepped, logarithmic, height]);

  useEffect(() => {
    const made = plot.current;
    if (!made || sameData(drawn.current, { times, series })) return;
    // Who looks closer at a stretch keeps it while newer values come.
    const kept = isZoomed(made);
    made.setData(data(), !kept);
    if (kept) made.redraw();
  }, [times, series]);
  useEffect(() => plot.current?.redraw(false, true), [locale, zone, format, max, moments]);

  const read = (event: KeyboardEvent) => {
    const made = plot.current;
    const step = STEPS[event.key];
    if (!made || step === undefined) return;
    event.preventDefault();
    const from = reading ? made.valToIdx(reading.at) : times.length - 1;
    const index = Math.max(0, Math.min(times.length - 1, from + (reading ? step : 0)));
    const at = times[index]!;
    made.setCursor({ left: made.valToPos(at, 'x'), top: 0 });
    const values = valuesAt(facts.current, made, index).map((line) => `${line.label} ${format(line.value)}`);
    setReading({ at, text: [whenSaid(facts.current, at), ...values].join(', ') });
  };

  const unzoom = () => {
    for (const each of sync === undefined ? [plot.current] : uPlot.sync(sync).plots) {
      const [first] = each?.data ?? [];
      each?.setScale('x', { min: first![0]!, max: first!.at(-1)! });
    }
  };

  return (
    <>
      <div
        ref={frame}
        className={style.plot}
        style={{ height }}
        role="slider"
        tabIndex={0}
        aria-label={t('chart.read', { label })}
        aria-valuemin={times[0] ?? 0}
        aria-valuemax={times.at(-1) ?? 0}
        aria-valuenow={reading?.at ?? times.at(-1) ?? 0}
        aria-valuetext={reading?.text ?? whenSaid({ steps, locale }, times.at(-1) ?? 0)}
        onKeyDown={read}
        onBlur={() => {
          setReading(null);
          plot.current?.setCursor({ left: -10, top: -10 });
        }}
      />
      {zoomed && (
        <button type="button" className={style.unzoom} onClick={unzoom}>
          {t('chart.unzoom')}
        </button>
      )}
    </>
  );
}

type Drawn = Pick<ChartProps, 'times' | 'series'>;

/** A page that is drawn again with the same answer brings new lists of the same values. */
function sameData(before: Drawn, after: Drawn): boolean {
  return (
    before.times === after.times &&
    before.series.length === after.series.length &&
    before.series.every(
      (line, index) =>
        String(line.breaks) === String(after.series[index]!.breaks) &&
        rowsFor(line).every((row) => line[row] === after.series[index]![row]),
    )
  );
}

function isZoomed({ data: [times], scales: { x } }: uPlot): boolean {
  if (times.length < 2 || x?.min === undefined || x.max === undefined) return false;
  return x.min > times[0]! || x.max < times.at(-1)!;
}
