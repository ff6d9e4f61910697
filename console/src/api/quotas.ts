/** Calls about quotas: what people and groups may hold, and what they hold. */
import { api, ask } from './client';
import type { AskedAmounts, Quota, QuotaAmounts, QuotaBulk, QuotaEdit, QuotaPage, QuotaUse } from './types';

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
