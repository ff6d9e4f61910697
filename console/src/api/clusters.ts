/** Calls about clusters. */
import { ALL, api, ask, askItems } from './client';
import type { Schemas } from './types';

export type Cluster = Schemas['Cluster'];
export type ClusterState = Cluster['state'];
export type ClusterCheck = Schemas['ClusterCheck'];
export type ClusterCreate = Schemas['ClusterCreate'];
export type ClusterEdit = Schemas['ClusterEdit'];
export type ClusterReport = Schemas['ClusterReport'];

export const clusterKeys = {
  all: ['clusters'] as const,
  one: (name: string) => ['clusters', name] as const,
};

export const listClusters = (signal?: AbortSignal): Promise<Cluster[]> => askItems(api.GET('/api/v1/clusters', { ...ALL, signal }));

export const getCluster = (name: string, signal?: AbortSignal): Promise<Cluster> =>
  ask(api.GET('/api/v1/clusters/{name}', { params: { path: { name } }, signal }));

/** Looks at a cluster that is not added yet; nothing is kept. */
export const checkNewCluster = (body: ClusterCheck): Promise<ClusterReport> => ask(api.POST('/api/v1/clusters/check', { body }));

export const checkCluster = (name: string): Promise<ClusterReport> =>
  ask(api.POST('/api/v1/clusters/{name}/check', { params: { path: { name } } }));

export const createCluster = (body: ClusterCreate): Promise<Cluster> => ask(api.POST('/api/v1/clusters', { body }));

export const editCluster = (name: string, body: ClusterEdit): Promise<Cluster> =>
  ask(api.PATCH('/api/v1/clusters/{name}', { params: { path: { name } }, body }));

/** By force even if jobs run there: they are lost then. */
export const deleteCluster = async (name: string, force: boolean): Promise<void> => {
  await ask(api.DELETE('/api/v1/clusters/{name}', { params: { path: { name }, query: { force } } }));
};
