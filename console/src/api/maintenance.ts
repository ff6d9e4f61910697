/** Calls about maintenance windows: when nodes are to be left alone. */
import { api, ask } from './client';
import type { DrainReport, Maintenance, MaintenanceCreate, MaintenanceEdit, MaintenancePreview } from './types';

export const listMaintenance = async (signal?: AbortSignal): Promise<Maintenance[]> => {
  const { items } = await ask(api.GET('/api/v1/maintenance', { params: { query: { limit: 500 } }, signal }));
  return items;
};

export const createMaintenance = (body: MaintenanceCreate): Promise<Maintenance> => ask(api.POST('/api/v1/maintenance', { body }));

export const editMaintenance = (name: string, body: MaintenanceEdit): Promise<Maintenance> =>
  ask(api.PATCH('/api/v1/maintenance/{name}', { params: { path: { name } }, body }));

export const cancelMaintenance = (name: string): Promise<unknown> =>
  ask(api.DELETE('/api/v1/maintenance/{name}', { params: { path: { name } } }));

/** What would have to give way; nothing is planned. */
export const previewMaintenance = (body: MaintenancePreview): Promise<DrainReport> =>
  ask(api.POST('/api/v1/maintenance/preview', { body }));
