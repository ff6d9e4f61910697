/** Calls about quotas: what people and groups may hold, and what they hold. */
import { api, ask } from '../client';
import type { Schemas } from '../types';

export type Quota = Schemas['Quota'];
export type QuotaPage = Schemas['QuotaList'];
export type QuotaEdit = Schemas['QuotaEdit'];
export type QuotaBulk = Schemas['QuotaBulk'];
/** By class, or `all`: how much of what; null is no bound. */
export type QuotaAmounts = Quota['amounts'];
/** What one asks for beyond one's quota. */
export type AskedAmounts = NonNullable<Schemas['Asking']['amounts']>;
export type QuotaUse = Schemas['QuotaStanding'];
export type QuotaLine = Schemas['QuotaRow'];

export const quotaKeys = {
  all: ['rules', 'quotas'] as const,
  page: (search: string | undefined) => ['rules', 'quotas', search] as const,
  use: (of: 'user' | 'group', name: string) => ['rules', 'quota-use', of, name] as const,
};

export interface QuotaQuery {
  search?: string | undefined;
  limit?: number;
  cursor?: string | undefined;
}

export const listQuotas = (query: QuotaQuery, signal?: AbortSignal): Promise<QuotaPage> =>
  ask(api.GET('/api/v1/quotas', { params: { query }, signal }));

/** What is left out of it is no longer limited. */
export const setQuota = (name: string, body: QuotaEdit): Promise<Quota> =>
  ask(api.PUT('/api/v1/quotas/{name}', { params: { path: { name } }, body }));

export const setQuotas = (body: QuotaBulk): Promise<unknown> => ask(api.POST('/api/v1/quotas/bulk', { body }));

export const removeQuota = (name: string): Promise<unknown> => ask(api.DELETE('/api/v1/quotas/{name}', { params: { path: { name } } }));

/** `life` such as `7d`: it ends by itself. */
export const raiseQuota = (name: string, amounts: QuotaAmounts, life: string, reason: string): Promise<Quota> =>
  ask(api.POST('/api/v1/quotas/{name}/raises', { params: { path: { name } }, body: { amounts, life, reason } }));

export const endRaises = (name: string): Promise<unknown> =>
  ask(api.DELETE('/api/v1/quotas/{name}/raises', { params: { path: { name } } }));

export const getUserQuota = (name: string, signal?: AbortSignal): Promise<QuotaUse> =>
  ask(api.GET('/api/v1/users/{name}/quota', { params: { path: { name } }, signal }));

export const getGroupQuota = (name: string, signal?: AbortSignal): Promise<QuotaUse> =>
  ask(api.GET('/api/v1/groups/{name}/quota', { params: { path: { name } }, signal }));

/** Asks those who may give more. */
export const askForQuota = (amounts: AskedAmounts, life: string, note: string): Promise<unknown> =>
  ask(api.POST('/api/v1/requests', { body: { kind: 'quota', amounts, life, note } }));
