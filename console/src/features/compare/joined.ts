/** The metrics of several jobs as the lines of common charts. */
import { titleOf, type JobDetail } from '@/api/jobs';
import type { JobMetrics, MetricSeries } from '@/api/metrics';
import { formatMetric } from '@/parts/metrics/format';

/** A line is called like its job, and has its colour in every chart. */
export function joinedSeries(
  jobs: Pick<JobDetail, 'id' | 'name' | 'run' | 'numbered' | 'owner'>[],
  told: readonly (JobMetrics | undefined)[],
): (MetricSeries & { colour: number })[] {
  const titles = jobs.map(titleOf);
  return jobs.flatMap(({ owner, id }, colour) => {
    const title = titles[colour]!;
    const twins = titles.filter((other) => other === title).length > 1;
    const label = twins ? `${title} (${owner}, ${id})` : title;
    return (told[colour]?.series ?? [])
      .filter((line) => line.name !== 'total_steps')
      .map((line) => Object.assign({}, line, { task: label, colour }));
  });
}

export interface Row {
  name: string;
  values: (string | undefined)[];
}

/** Of each metric that one of them told, in the order of their names. */
export function lastValues(told: readonly (JobMetrics | undefined)[]): Row[] {
  const names = [...new Set(told.flatMap((one) => one?.names.map(({ name }) => name) ?? []))].toSorted();
  return names.map((name) => ({
    name,
    values: told.map((one) => {
      const found = one?.names.find((each) => each.name === name);
      return found && (found.last.value === null ? 'NaN' : formatMetric(found.last.value));
    }),
  }));
}
