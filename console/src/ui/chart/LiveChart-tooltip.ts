/** The little table beside a chart's cursor. Drawn by hand: it changes with every move of the mouse. */
import type uPlot from 'uplot';
import type { ChartFacts } from './LiveChart-options';
import { lineLook, rowsOf } from './LiveChart-data';
import { formatExact } from '@/ui/words/format';
import style from './LiveChart.module.css';

const MOST_LINES = 10;

/** What the lines are at one moment, the highest first. */
export function valuesAt(facts: ChartFacts, plot: Pick<uPlot, 'data'>, index: number): { series: number; label: string; value: number }[] {
  const rows = rowsOf(facts.series);
  return facts.series
    .map(({ label, sparse }, series) => ({ series, label, value: heldAt(plot.data[rows[series]!], index, sparse ?? false) }))
    .filter((line): line is { series: number; label: string; value: number } => line.value !== null)
    .sort((a, b) => b.value - a.value);
}

function heldAt(values: uPlot.AlignedData[number] | undefined, index: number, sparse: boolean): number | null {
  if (!values) return null;
  const at = sparse ? values.slice(0, index + 1).findLastIndex((value) => value != null) : index;
  return values[at] ?? null;
}

/** The moment, or the step, in words. */
export const whenSaid = ({ steps, locale }: Pick<ChartFacts, 'steps' | 'locale'>, at: number): string =>
  steps ? steps(at) : formatExact(at, locale);

export class ChartTooltip {
  readonly #element = document.createElement('div');
  readonly #facts: () => ChartFacts;

  constructor(facts: () => ChartFacts) {
    this.#facts = facts;
    this.#element.className = style.tooltip ?? '';
    this.#element.setAttribute('aria-hidden', 'true');
    this.#element.hidden = true;
  }

  readonly attach = (plot: uPlot): void => {
    plot.over.append(this.#element);
  };

  readonly update = (plot: uPlot): void => {
    const { idx, left = -1 } = plot.cursor;
    const at = idx == null ? undefined : plot.data[0][idx];
    this.#element.hidden = at === undefined || left < 0;
    if (at === undefined || left < 0) return;
    const facts = this.#facts();
    const lines = valuesAt(facts, plot, idx!);
    const time = document.createElement('div');
    time.className = style.tooltipTime ?? '';
    time.textContent = whenSaid(facts, at);
    const rest = lines.length - MOST_LINES;
    this.#element.replaceChildren(
      time,
      ...lines.slice(0, MOST_LINES).map((line) => tooltipLine(facts, line)),
      ...(rest > 0 ? [`+ ${rest}`] : []),
    );
    // On the side with more room.
    const { width } = plot.over.getBoundingClientRect();
    this.#element.style.left = left < width / 2 ? `${left + 12}px` : '';
    this.#element.style.right = left < width / 2 ? '' : `${width - left + 12}px`;
  };
}

function tooltipLine(facts: ChartFacts, { series, label, value }: { series: number; label: string; value: number }): HTMLElement {
  const line = document.createElement('div');
  line.className = style.tooltipLine ?? '';
  const swatch = document.createElement('span');
  swatch.className = style.swatch ?? '';
  const { token, pale } = lineLook(facts.series[series]!, series);
  swatch.style.borderColor = `var(--${token})`;
  if (pale) swatch.dataset.pale = '';
  if (facts.series[series]!.dashed) swatch.dataset.dashed = '';
  const name = document.createElement('span');
  name.textContent = label;
  const number = document.createElement('b');
  number.textContent = facts.format(value);
  line.append(swatch, name, number);
  return line;
}
