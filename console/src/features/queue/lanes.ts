/** How many wait, and for how long together: by class for the tabs, by GPU model for the filter, in all. */
import type { Lane } from '@/api/queue';

export interface Count {
  waiting: number;
  seconds: number;
}

type Of = Partial<Pick<Lane, 'gpu_model' | 'class'>>;

export function countOf(lanes: readonly Lane[], of: Of = {}): Count {
  const counted = lanes.filter((lane) => fits(lane, of));
  return {
    waiting: counted.reduce((sum, lane) => sum + lane.waiting, 0),
    seconds: counted.reduce((sum, lane) => sum + lane.total_waiting_seconds, 0),
  };
}

/** The GPU models for which somebody waits, in the server's order. */
export function modelsOf(lanes: readonly Lane[], of: Of = {}): string[] {
  return [...new Set(lanes.filter((lane) => fits(lane, of)).map((lane) => lane.gpu_model))];
}

function fits(lane: Lane, { gpu_model: model, class: jobClass }: Of): boolean {
  return (model === undefined || lane.gpu_model === model) && (jobClass === undefined || lane.class === jobClass);
}
