/** Calls about clusters. */
import { api, ask } from './client';
import type { Cluster, ClusterCheck, ClusterCreate, ClusterEdit, ClusterReport } from './types';

export const listClusters = async (signal?: AbortSignal): Promise<Cluster[]> => {
  const { items } = await ask(api.GET('/api/v1/clusters', { params: { query: { limit: 500 } }, signal }));
  return items;
};

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
