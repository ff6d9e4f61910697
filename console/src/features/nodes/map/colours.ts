/** What a GPU's colour and sign mean: whose it is, or for how long it has been held. */
import type { NodeTask } from '@/api/nodes';
import { personSeries, seriesToken } from '@/ui/theme/palette';

/** Upper ends in hours of the steps of time held; the last has none. */
export const STEPS = [1, 6, 24] as const;

/** The fill of what a person holds: their colour, as on every page. */
export const fillOf = (owner: string): string => seriesToken(personSeries(owner));

/** Two characters that stand for a person. */
export function signOf(owner: string): string {
  const [first = '?', second = ''] = Array.from(owner);
  return first.toUpperCase() + second;
}

/** 1 for the shortest time held, 4 for the longest; of several tasks the longest counts. */
export function timeStep(tasks: NodeTask[], now: number): number {
  const began = Math.min(...tasks.map((task) => (task.started_at ? Date.parse(task.started_at) : now)));
  const hours = (now - began) / 3_600_000;
  const at = STEPS.findIndex((end) => hours < end);
  return at === -1 ? STEPS.length + 1 : at + 1;
}
