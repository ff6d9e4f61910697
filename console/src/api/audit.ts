/** Calls about the audit log: who did what, when, from where. */
import { api, apiUrl, ask } from './client';
import type { Schemas } from './types';

export type AuditEntry = Schemas['AuditEntry'];
export type AuditPage = Schemas['AuditList'];
export type AuditReport = Schemas['AuditVerdict'];

export const auditKeys = {
  list: (filter: AuditFilter) => ['audit', filter] as const,
};

export interface AuditFilter {
  by?: string | undefined;
  act?: string | undefined;
  subject?: string | undefined;
  search?: string | undefined;
  /** A moment, or how long ago: `-7d`. */
  since?: string | undefined;
  until?: string | undefined;
}

/** The latest first. */
export const listAudit = (filter: AuditFilter, cursor: string | undefined, signal?: AbortSignal): Promise<AuditPage> =>
  ask(api.GET('/api/v1/audit', { params: { query: { ...filter, cursor, limit: 100 } }, signal }));

export const auditExport = (filter: AuditFilter, format: 'jsonl' | 'csv'): string => apiUrl('audit/export', { ...filter, format });

/** Whether the chain holds; with a number and a seal noted earlier, also whether the beginning is still the same. */
export const verifyAudit = (noted: { seq?: number; seal?: string }): Promise<AuditReport> =>
  ask(api.GET('/api/v1/audit/verify', { params: { query: noted } }));
