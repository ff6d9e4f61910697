/** Calls about maintenance windows: when nodes are to be left alone. */
import { ALL, api, ask, askItems } from '../client';
import type { DrainReport, Schemas } from '../types';

export type Maintenance = Schemas['Maintenance'];
export type MaintenanceCreate = Schemas['MaintenanceCreate'];
export type MaintenanceEdit = Schemas['MaintenanceEdit'];
export type MaintenancePreview = Schemas['MaintenancePreview'];

export const maintenanceKeys = {
  all: ['rules', 'maintenance'] as const,
};

export const listMaintenance = (signal?: AbortSignal): Promise<Maintenance[]> =>
  askItems(api.GET('/api/v1/maintenance', { ...ALL, signal }));

export const createMaintenance = (body: MaintenanceCreate): Promise<Maintenance> => ask(api.POST('/api/v1/maintenance', { body }));

export const editMaintenance = (name: string, body: MaintenanceEdit): Promise<Maintenance> =>
  ask(api.PATCH('/api/v1/maintenance/{name}', { params: { path: { name } }, body }));

export const cancelMaintenance = (name: string): Promise<unknown> =>
  ask(api.DELETE('/api/v1/maintenance/{name}', { params: { path: { name } } }));

/** What would have to give way; nothing is planned. */
export const previewMaintenance = (body: MaintenancePreview): Promise<DrainReport> =>
  ask(api.POST('/api/v1/maintenance/preview', { body }));
