/** What a GPU's colour and sign mean: whose it is, or for how long it has been held. */
import type { NodeTask } from '@/api/nodes';

/** Names in the style sheet; one's own has a colour of its own. */
export const HUES = ['violet', 'green', 'amber', 'teal', 'magenta', 'olive', 'slate'] as const;
export type Hue = (typeof HUES)[number] | 'mine';

/** Upper ends in hours of the steps of time held; the last has none. */
export const STEPS = [1, 6, 24] as const;

/**
 * Gives each owner that is new a colour that few have. Those seen before keep theirs, so that nothing changes its
 * colour while one looks.
 */
export function giveHues(known: ReadonlyMap<string, Hue>, owners: string[], me: string): Map<string, Hue> {
  const hues = new Map(known);
  hues.set(me, 'mine');
  for (const owner of owners.toSorted()) {
    if (hues.has(owner)) continue;
    const taken = [...hues.values()];
    const uses = HUES.map((hue) => taken.filter((other) => other === hue).length);
    hues.set(owner, HUES[uses.indexOf(Math.min(...uses))]!);
  }
  return hues;
}

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
