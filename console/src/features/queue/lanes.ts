/** How many wait, and how much work that is: by class for the tabs, by GPU model for the filter, in all. */
import type { ClassBacklog, Lane } from '@/api/queue';

export interface Count {
  waiting: number;
  /** How long all of it takes, one after the other. */
  seconds: number;
  gpuHours: number;
  /** Jobs that tell no time: with any, the others are lower bounds. */
  without: number;
}

type Of = Partial<Pick<Lane, 'gpu_model' | 'class'>>;
type Work = Pick<Lane, 'waiting' | 'work_seconds' | 'gpu_hours' | 'without_estimate'>;

/** Of a GPU model its lanes; without one the classes, where a job that waits in several lanes counts once. */
export function countOf({ lanes, classes }: { lanes: readonly Lane[]; classes: readonly ClassBacklog[] }, of: Of = {}): Count {
  const parts: Work[] =
    of.gpu_model === undefined
      ? classes.filter((one) => of.class === undefined || one.class === of.class)
      : lanes.filter((lane) => fits(lane, of));
  const sum = (what: keyof Work) => parts.reduce((total, part) => total + part[what], 0);
  return { waiting: sum('waiting'), seconds: sum('work_seconds'), gpuHours: sum('gpu_hours'), without: sum('without_estimate') };
}

/** The GPU models for which somebody waits, in the server's order. */
export function modelsOf(lanes: readonly Lane[], of: Of = {}): string[] {
  return [...new Set(lanes.filter((lane) => fits(lane, of)).map((lane) => lane.gpu_model))];
}

function fits(lane: Lane, { gpu_model: model, class: jobClass }: Of): boolean {
  return (model === undefined || lane.gpu_model === model) && (jobClass === undefined || lane.class === jobClass);
}
