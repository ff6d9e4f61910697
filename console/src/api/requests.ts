/** Calls about what people ask for: to join a project, or for more than their quota. */
import { api, ask } from './client';
import type { MemberRole } from './rules/projects';
import type { AskedAmounts } from './rules/quotas';
import type { Schemas } from './types';

export type AccessRequest = Schemas['PersonalRequest'];
export type RequestPage = Schemas['RequestList'];
export type RequestState = AccessRequest['state'];

export const requestKeys = {
  all: ['requests'] as const,
  list: (query: RequestQuery) => ['requests', 'list', query] as const,
  toDecide: ['requests', 'to-decide'] as const,
};

export interface RequestQuery {
  state?: RequestState[] | undefined;
  kind?: AccessRequest['kind'] | undefined;
  /** Only one's own, or only those that one may read or decide. */
  mine?: boolean | undefined;
}

const PAGE_ROWS = 100;

export const readRequests = (query: RequestQuery, cursor: string | undefined, signal?: AbortSignal): Promise<RequestPage> =>
  ask(api.GET('/api/v1/requests', { params: { query: { ...query, cursor, limit: PAGE_ROWS } }, signal }));

/** At most as many as a page holds: more are not counted by anyone. */
export const countToDecide = async (signal?: AbortSignal): Promise<number> => {
  const { items } = await readRequests({ state: ['open'], mine: false }, undefined, signal);
  return items.filter(({ can_decide }) => can_decide).length;
};

export const askToJoin = (subject: string, note: string): Promise<AccessRequest> =>
  ask(api.POST('/api/v1/requests', { body: { kind: 'join', subject, note } }));

export const approveRequest = (
  id: string,
  body: { answer?: string; role?: MemberRole; amounts?: AskedAmounts; life?: string },
): Promise<AccessRequest> => ask(api.POST('/api/v1/requests/{id}/approve', { params: { path: { id } }, body }));

export const refuseRequest = (id: string, answer: string): Promise<AccessRequest> =>
  ask(api.POST('/api/v1/requests/{id}/refuse', { params: { path: { id } }, body: { answer } }));

export const withdrawRequest = (id: string): Promise<AccessRequest> =>
  ask(api.POST('/api/v1/requests/{id}/withdraw', { params: { path: { id } } }));
