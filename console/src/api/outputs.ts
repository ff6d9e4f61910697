/** Calls about outputs of jobs: what is kept of what they leave. */
import { api, ask, askItems } from './client';
import type { Schemas } from './types';

export type JobOutput = Schemas['JobOutput'];
export type OutputState = JobOutput['state'];

export const outputKeys = { of: (job: string) => ['jobs', 'outputs', job] as const };

export const isToCome = ({ state }: JobOutput): boolean => state === 'declared' || state === 'pending' || state === 'making';

/** Of the last attempt first. */
export const listOutputs = (job: string, signal?: AbortSignal): Promise<JobOutput[]> =>
  askItems(api.GET('/api/v1/jobs/{job}/outputs', { params: { path: { job } }, signal }));

/** This one again, which failed. */
export const retryOutput = async (job: string, output: string): Promise<void> => {
  await ask(api.POST('/api/v1/jobs/{job}/outputs/retry', { params: { path: { job } }, body: { outputs: [output] } }));
};
