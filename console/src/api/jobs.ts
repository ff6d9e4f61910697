/** Calls about jobs. */
import { api, ask } from './client';
import type { DanluEvent, Schemas } from './types';

export type JobRow = Schemas['JobRow'];
export type JobDetail = Schemas['JobDetail'];
export type JobPage = Schemas['JobPage'];
export type JobState = JobRow['state'];
export type JobKind = JobRow['kind'];
export type Task = Schemas['Task'];
export type TaskState = Task['state'];
export type Attempt = Schemas['Attempt'];
export type CheckResult = Schemas['CheckResult'];
/** What to change of a job's file. */
export type JobChanges = Partial<Schemas['JobChanges']>;
export type Saved = Schemas['Saved'];
export type Remedy = Schemas['Remedy'];
/** What could be better about a job file that is right. */
export type Advice = Schemas['Advice'];
export type GivenSize = Schemas['GivenSize'];
/** A job file as JSON: whatever the person wrote; the server validates it. */
export type JobFile = Record<string, unknown>;

export const JOB_STATES = [
  'created',
  'queued',
  'starting',
  'running',
  'stopping',
  'completed',
  'failed',
  'stopped',
] as const satisfies readonly JobState[];

export const JOB_KINDS = ['training', 'workspace', 'service'] as const satisfies readonly JobKind[];

export const jobKeys = {
  all: ['jobs'] as const,
  page: (query: JobQuery) => ['jobs', query] as const,
  /** The job table's news; its rows are apart, since no topic may fetch all pages of them again. */
  news: (query: Omit<JobQuery, 'limit'>) => ['jobs', 'news', query] as const,
  lists: ['job-list'] as const,
  list: (query: Omit<JobQuery, 'limit'>) => ['job-list', query] as const,
  one: (id: string) => ['job', id] as const,
  detail: (id: string) => ['job', id, 'detail'] as const,
  events: (id: string) => ['job', id, 'events'] as const,
  runs: (id: string) => ['job', id, 'runs'] as const,
  schema: ['schema'] as const,
};

export const JOB_SORTS = ['-created', 'created', 'name', '-name', 'state', '-ended'] as const;
export type JobSort = (typeof JOB_SORTS)[number];

export interface JobQuery {
  limit: number;
  cursor?: string;
  state?: JobState[];
  kind?: JobKind;
  owner?: string;
  project?: string;
  search?: string;
  sort?: JobSort | '-ended';
}

export const listJobs = (query: JobQuery, signal?: AbortSignal): Promise<JobPage> =>
  ask(api.GET('/api/v1/jobs', { params: { query }, signal }));

export const getJob = (job: string, signal?: AbortSignal): Promise<JobDetail> =>
  ask(api.GET('/api/v1/jobs/{job}', { params: { path: { job } }, signal }));

/** The runs of its name, the latest first. */
export const listRuns = (job: string, signal?: AbortSignal): Promise<Schemas['JobRuns']> =>
  ask(api.GET('/api/v1/jobs/{job}/runs', { params: { path: { job } }, signal }));

export const checkJob = (body: JobFile, signal?: AbortSignal): Promise<CheckResult> =>
  ask(api.POST('/api/v1/jobs/check', { body, signal }));

/** `key` makes a repeated submission of the same thing create one job. */
export const createJob = (body: JobFile, start: boolean, key: string, replace = false): Promise<JobDetail> =>
  ask(api.POST('/api/v1/jobs', { body, params: { query: { start, ...(replace && { replace }) }, header: { 'Idempotency-Key': key } } }));

/** What means this very job, here and on the command line: "bert", or "bert#2" if its name has had several runs. */
export const titleOf = ({ name, run, numbered }: Pick<JobRow, 'name' | 'run' | 'numbered'>): string =>
  numbered || run > 1 ? `${name}#${run}` : name;

/** Refused as a conflict where the job is no longer of this version. */
export const editJob = (job: string, body: JobFile, version: number): Promise<JobDetail> =>
  ask(api.PUT('/api/v1/jobs/{job}/spec', { body, params: { path: { job }, query: { version } } }));

/** Changes some of what a job asks for; one that waits keeps its place unless it asks for more. */
export const changeJob = (job: string, body: JobChanges): Promise<JobDetail> =>
  ask(api.PATCH('/api/v1/jobs/{job}/spec', { body, params: { path: { job } } }));

/** `fresh`: from the beginning, and not from its last checkpoint. */
export const startJob = (job: string, fresh = false): Promise<JobDetail> =>
  ask(api.POST('/api/v1/jobs/{job}/start', { params: { path: { job } }, ...(fresh && { body: { fresh } }) }));

export const stopJob = (job: string): Promise<JobDetail> => ask(api.POST('/api/v1/jobs/{job}/stop', { params: { path: { job } } }));

export const restartJob = (job: string, fresh = false): Promise<JobDetail> =>
  ask(api.POST('/api/v1/jobs/{job}/restart', { params: { path: { job } }, ...(fresh && { body: { fresh } }) }));

export const resetJob = (job: string): Promise<JobDetail> => ask(api.POST('/api/v1/jobs/{job}/reset', { params: { path: { job } } }));

export const cloneJob = (job: string, name: string | undefined, start: boolean): Promise<JobDetail> =>
  ask(api.POST('/api/v1/jobs/{job}/clone', { params: { path: { job } }, body: { name, start } }));

export const deleteJob = (job: string): Promise<unknown> => ask(api.DELETE('/api/v1/jobs/{job}', { params: { path: { job } } }));

/** All events of a job, oldest first; a job has dozens, so the pages are read through. */
export async function listEvents(job: string, signal?: AbortSignal): Promise<DanluEvent[]> {
  const events: DanluEvent[] = [];
  let cursor: string | undefined;
  do {
    const query = { limit: 200, cursor };
    // oxlint-disable-next-line no-await-in-loop -- each page names the next one
    const page = await ask(api.GET('/api/v1/jobs/{job}/events', { params: { path: { job }, query }, signal }));
    events.push(...page.items);
    cursor = page.next_cursor ?? undefined;
  } while (cursor && events.length < 2000);
  return events;
}

export const getJobSchema = (): Promise<Record<string, unknown>> => ask(api.GET('/api/v1/schema/job'));
