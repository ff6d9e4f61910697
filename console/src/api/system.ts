/** Calls about the installation itself: what is weak, and how to mend it. */
import { api, ask } from './client';
import type { Schemas } from './types';

export type Weakness = Schemas['Weakness'];
export type Version = Schemas['Version'];
export type SystemReport = Schemas['SystemReport'];

export const systemKeys = {
  version: ['system', 'version'] as const,
  health: ['system', 'health'] as const,
  doctor: ['system', 'doctor'] as const,
};

/** Also which client there is to install. */
export const getVersion = (signal?: AbortSignal): Promise<Version> => ask(api.GET('/api/v1/version', { signal }));

/** What is quickly seen. */
export const getSystemHealth = (signal?: AbortSignal): Promise<SystemReport> => ask(api.GET('/api/v1/system/health', { signal }));

/** Everything, files and the audit log included. */
export const examineSystem = (signal?: AbortSignal): Promise<SystemReport> => ask(api.GET('/api/v1/system/doctor', { signal }));
