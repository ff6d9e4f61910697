/** Calls about transfers: data on its way into volumes, carried out by the server. */
import { ALL, api, ask, askItems } from './client';
import type { Schemas } from './types';

export type Transfer = Schemas['Transfer'];
export type TransferState = Transfer['state'];
export type TransferCreate = Schemas['TransferCreate'];
export type OnExisting = Transfer['existing'];
export type TransferSchedule = Schemas['TransferSchedule'];
export type ScheduleCreate = Schemas['ScheduleCreate'];

export const transferKeys = {
  all: ['transfers'] as const,
  list: ['transfers', 'list'] as const,
  schedules: ['transfers', 'schedules'] as const,
};

export const isUnfinished = ({ state }: Transfer): boolean => state === 'queued' || state === 'running';

/** The latest first. */
export const listTransfers = (signal?: AbortSignal): Promise<Transfer[]> => askItems(api.GET('/api/v1/transfers', { ...ALL, signal }));

export const createTransfer = (body: TransferCreate): Promise<Transfer> => ask(api.POST('/api/v1/transfers', { body }));

export const cancelTransfer = (transfer: string): Promise<Transfer> =>
  ask(api.POST('/api/v1/transfers/{transfer}/cancel', { params: { path: { transfer } } }));

export const resumeTransfer = (transfer: string): Promise<Transfer> =>
  ask(api.POST('/api/v1/transfers/{transfer}/resume', { params: { path: { transfer } }, body: {} }));

/** The record of one that is over. */
export const deleteTransfer = async (transfer: string): Promise<void> => {
  await ask(api.DELETE('/api/v1/transfers/{transfer}', { params: { path: { transfer } } }));
};

export const listSchedules = (signal?: AbortSignal): Promise<TransferSchedule[]> =>
  askItems(api.GET('/api/v1/transfers/schedules', { ...ALL, signal }));

export const createSchedule = (body: ScheduleCreate): Promise<TransferSchedule> => ask(api.POST('/api/v1/transfers/schedules', { body }));

export const pauseSchedule = (schedule: string, paused: boolean): Promise<TransferSchedule> =>
  ask(api.PATCH('/api/v1/transfers/schedules/{schedule}', { params: { path: { schedule } }, body: { paused } }));

export const deleteSchedule = async (schedule: string): Promise<void> => {
  await ask(api.DELETE('/api/v1/transfers/schedules/{schedule}', { params: { path: { schedule } } }));
};
