/** Which of one's own jobs can change turns, and what the queue looks like when they do. */
import type { QueueItem } from '@/api/queue';

/** One's own jobs that can change turns with each other, in the order of service. */
export type Line = readonly string[];

/** What the server must be told: which job, and right before or right after which other. */
export interface Move {
  job: string;
  beside: { before: string } | { after: string };
}

/**
 * The lines of one's own jobs: same project, priority, class and GPU models, and no pin, which goes before any order.
 * `mine` are all of one's own, since the lanes in which a job stands tell which models it takes.
 */
export function linesOf(mine: readonly QueueItem[]): Line[] {
  const jobs = new Map<string, { item: QueueItem; models: string[] }>();
  for (const item of mine) {
    if (!item.mine || item.job_id === null || item.pinned_at !== null) continue;
    const known = jobs.get(item.job_id);
    if (known) known.models.push(item.lane.gpu_model);
    else jobs.set(item.job_id, { item, models: [item.lane.gpu_model] });
  }
  const lines = new Map<string, string[]>();
  for (const [job, { item, models }] of jobs) {
    const name = JSON.stringify([item.project, item.priority, item.class, models.toSorted()]);
    lines.set(name, [...(lines.get(name) ?? []), job]);
  }
  return [...lines.values()];
}

/** The line of each job; a job that stands alone has none. */
export function linesByJob(lines: readonly Line[]): ReadonlyMap<string, Line> {
  return new Map(lines.filter((line) => line.length > 1).flatMap((line) => line.map((job) => [job, line] as const)));
}

/** A line with one job at another place; places beyond its ends are its ends. */
export function placed(line: Line, job: string, to: number): Line {
  const others = line.filter((one) => one !== job);
  const at = Math.min(others.length, Math.max(0, to));
  return [...others.slice(0, at), job, ...others.slice(at)];
}

/** How to tell the server of it; undefined if the job stands there already. */
export function moveTo(line: Line, job: string, to: number): Move | undefined {
  const after = placed(line, job, to);
  const at = after.indexOf(job);
  if (at === line.indexOf(job)) return undefined;
  return { job, beside: at === 0 ? { before: after[1]! } : { after: after[at - 1]! } };
}

/**
 * The queue with a line in another order: the jobs of the line exchange the places they have in each lane, everybody else stays.
 * Jobs of the line that are not among the items (on a page not loaded, or started meanwhile) are passed over, and so are those that
 * were pinned since: a pin goes before any order.
 */
export function arranged(items: readonly QueueItem[], line: Line): QueueItem[] {
  const rank = new Map(line.map((job, at) => [job, at]));
  const rankOf = (item: QueueItem) => (item.pinned_at === null ? rank.get(item.job_id ?? '') : undefined);
  const lanes = new Map<string, QueueItem[]>();
  for (const item of items) if (rankOf(item) !== undefined) lanes.set(laneKey(item), [...(lanes.get(laneKey(item)) ?? []), item]);
  for (const own of lanes.values()) own.sort((one, other) => rankOf(one)! - rankOf(other)!);
  return items.map((item) => {
    if (rankOf(item) === undefined) return item;
    const next = lanes.get(laneKey(item))!.shift()!;
    return next.position === item.position ? item : { ...next, position: item.position };
  });
}

/** Whether the items stand as a line says. */
export function standsAs(items: readonly QueueItem[], line: Line): boolean {
  return arranged(items, line).every((item, at) => item.job_id === items[at]!.job_id);
}

/** A job's place in one lane, by name: it may stand in several. */
export function slotName(item: Pick<QueueItem, 'lane' | 'job_id' | 'position'>): string {
  // Those one may not read have no name; their place is all that is known of them.
  return `${laneKey(item)} ${item.job_id ?? `#${item.position}`}`;
}

export function laneKey({ lane }: Pick<QueueItem, 'lane'>): string {
  return `${lane.gpu_model} ${lane.class}`;
}
