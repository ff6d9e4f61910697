/** Calls about the queue and the scores that order it. */
import { api, ask } from './client';
import type { JobDetail, JobState } from './jobs';
import type { Schemas } from './types';

export type QueuePage = Schemas['QueuePage'];
export type QueueItem = Schemas['QueueItem'];
export type Lane = Schemas['Lane'];
export type ClassBacklog = Schemas['ClassBacklog'];
export type AnybodysJob = Schemas['AnybodysJob'];
export type AnybodysJobPage = Schemas['AnybodysJobPage'];
export type Why = Schemas['Why'];
export type Holder = Schemas['Holder'];
export type HolderPage = Schemas['HolderPage'];
export type HeldModel = Schemas['HeldModel'];
export type Help = Schemas['Help'];
export type Score = Schemas['Score'];
export type ModelScore = Schemas['ModelScore'];
export type LedgerRow = Schemas['LedgerRow'];

export const queueKeys = {
  all: ['queue'] as const,
  page: (query: Omit<QueueQuery, 'cursor'>) => ['queue', 'page', query] as const,
  everybodys: (query: Omit<EverybodysQuery, 'cursor'>) => ['queue', 'everybodys', query] as const,
  own: ['queue', 'mine'] as const,
  holders: (model: string | undefined) => ['queue', 'holders', model] as const,
  why: (id: string) => ['queue', 'why', id] as const,
};

export const scoreKeys = {
  all: ['scores'] as const,
  one: (user: string) => ['scores', user] as const,
  ledger: (user: string, model: string | undefined) => ['scores', user, 'ledger', model] as const,
};

export interface QueueQuery {
  limit: number;
  cursor?: string | undefined;
  lane?: string | undefined;
  class?: 'single' | 'distributed' | undefined;
  project?: string | undefined;
  owner?: string | undefined;
}

export interface EverybodysQuery {
  limit: number;
  cursor?: string | undefined;
  state?: JobState[] | undefined;
  project?: string | undefined;
  owner?: string | undefined;
}

export const getQueue = (query: QueueQuery, signal?: AbortSignal): Promise<QueuePage> =>
  ask(api.GET('/api/v1/queue', { params: { query }, signal }));

/** Everybody's jobs in every state, newest first. */
export const getEverybodysJobs = (query: EverybodysQuery, signal?: AbortSignal): Promise<AnybodysJobPage> =>
  ask(api.GET('/api/v1/queue/jobs', { params: { query }, signal }));

/** Who holds GPUs, of one model or of all, those first whose GPUs are free first. */
export const getHolders = (model: string | undefined, signal?: AbortSignal): Promise<HolderPage> =>
  ask(api.GET('/api/v1/queue/holders', { params: { query: { lane: model, limit: 500 } }, signal }));

export const whyJob = (job: string, signal?: AbortSignal): Promise<Why> =>
  ask(api.GET('/api/v1/jobs/{job}/why', { params: { path: { job } }, signal }));

export const pinJob = (job: string): Promise<JobDetail> => ask(api.PUT('/api/v1/jobs/{job}/pin', { params: { path: { job } } }));

export const unpinJob = (job: string): Promise<JobDetail> => ask(api.DELETE('/api/v1/jobs/{job}/pin', { params: { path: { job } } }));

/** Gives a job of one's own the turn right before or right after another of one's own. */
export const orderJob = (job: string, beside: { before: string } | { after: string }): Promise<unknown> =>
  ask(api.POST('/api/v1/jobs/{job}/order', { params: { path: { job } }, body: beside }));

/** Every place of one's own, in the order of service. */
export const getOwnPlaces = (signal?: AbortSignal): Promise<QueueItem[]> =>
  everything((cursor) => getQueue({ owner: 'me', limit: 500, cursor }, signal));

/** One's own scores; everybody's for administrators. */
export const listScores = (signal?: AbortSignal): Promise<Score[]> =>
  everything((cursor) => ask(api.GET('/api/v1/scores', { params: { query: { limit: 500, cursor } }, signal })));

export const getScore = (user: string, signal?: AbortSignal): Promise<Score> =>
  ask(api.GET('/api/v1/scores/{user}', { params: { path: { user } }, signal }));

export interface LedgerPage {
  items: LedgerRow[];
  next_cursor: string | null;
}

export const getLedger = (user: string, model: string | undefined, cursor?: string, signal?: AbortSignal): Promise<LedgerPage> =>
  ask(api.GET('/api/v1/scores/{user}/ledger', { params: { path: { user }, query: { model, cursor, limit: 200 } }, signal }));

/** For lists that are short by nature: page after page, to a bound that nobody should reach. */
async function everything<Item>(
  getPage: (cursor: string | undefined) => Promise<{ items: Item[]; next_cursor: string | null }>,
): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: string | undefined;
  do {
    // oxlint-disable-next-line no-await-in-loop -- each page names the next one
    const page = await getPage(cursor);
    items.push(...page.items);
    cursor = page.next_cursor ?? undefined;
  } while (cursor && items.length < 5000);
  return items;
}
