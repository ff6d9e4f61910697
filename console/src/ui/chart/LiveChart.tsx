/** Lines over time or over steps; heavy, so pages load it lazily. */
import type { RefObject } from 'react';
import { useEffect, useRef, useState } from 'react';
import { useT } from '@/app/i18n';
import { lineLook, summarise } from './LiveChart-data';
import type { Unit } from './axis';
import { LiveChartPlot } from './LiveChartPlot';
import type { Tone } from '@/ui/words/Status';
import style from './LiveChart.module.css';

export interface ChartSeries {
  label: string;
  values: (number | null)[];
  /** The highest values of the stretches that `values` are the means of: drawn as a pale band. */
  high?: (number | null)[];
  /** The lowest ones: then the band is between these and `high`. */
  low?: (number | null)[];
  /** What `values` are the smoothed form of: drawn faintly behind, and told as the latest. */
  raw?: (number | null)[];
  /** Measured seldom: a missing value is no gap, and what holds at a moment is the value before it. */
  sparse?: boolean;
  /** Stretches without a line, of one that is sparse. */
  breaks?: [from: number, to: number][];
  tone?: Tone;
  /** One of the palette, such as a person's; without it the line's place decides. */
  colour?: number;
  dashed?: boolean;
}

export interface ChartProps {
  label: string;
  /** Milliseconds, or steps. */
  times: number[];
  series: ChartSeries[];
  format: (value: number) => string;
  /** The top of the scale; without it the values decide. */
  max?: number | undefined;
  height?: number;
  /** Charts with the same key share their cursor. */
  sync?: string | undefined;
  /** What the values count; the marks of the scale follow. */
  unit?: Unit;
  /** The axis counts steps, said so, instead of the time. */
  steps?: ((step: number) => string) | undefined;
  /** The scale follows the values instead of beginning at zero. */
  fitted?: boolean;
  /** The scale goes by powers of ten, and shows nothing of what is not above zero. */
  logarithmic?: boolean;
  /** Moments worth a line of their own, with a word at its top. */
  moments?: ChartMoment[];
}

export interface ChartMoment {
  at: number;
  label: string;
}

const HEIGHT = 180;

export default function LiveChart(props: ChartProps) {
  const { label, series, format, height = HEIGHT } = props;
  const t = useT();
  const place = useRef<HTMLDivElement>(null);
  const visible = useVisible(place);
  const lines = series.map((line, index) => ({ line, look: lineLook(line, index), summary: summarise(line) }));
  const empty = props.times.length === 0 || lines.every(({ summary }) => summary === null);
  return (
    <figure className={style.chart} aria-label={label}>
      <ul className={style.legend}>
        {lines.map(({ line, look, summary }) => (
          <li key={line.label}>
            <span
              className={style.swatch}
              style={{ borderColor: `var(--${look.token})` }}
              data-pale={look.pale || undefined}
              data-dashed={line.dashed || undefined}
            />
            {line.label}
            {summary && (
              <>
                {' '}
                <b>{format(summary.latest)}</b>
                <span className="visually-hidden">{t('chart.extremes', { min: format(summary.min), max: format(summary.max) })}</span>
              </>
            )}
          </li>
        ))}
      </ul>
      {/* The height is kept while the chart is out of sight or empty: nothing jumps. */}
      <div ref={place} className={style.place} style={{ height }}>
        {empty ? <p className={style.empty}>{t('chart.empty')}</p> : visible && <LiveChartPlot {...props} height={height} />}
      </div>
    </figure>
  );
}

/** Whether a place is on the screen or close to it. */
function useVisible(place: RefObject<HTMLElement | null>): boolean {
  const [visible, setVisible] = useState(false);
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => setVisible(entries.at(-1)!.isIntersecting), { rootMargin: '200px' });
    observer.observe(place.current!);
    return () => observer.disconnect();
  }, [place]);
  return visible;
}
