/** What is typed about a cluster, and what is sent of it. */
import type { Cluster, ClusterEdit } from '@/api/clusters';
import { writeSize } from '@/parts/quantities';
import { contextsOf, onlyContext } from './kubeconfig';

type PullPolicy = NonNullable<ClusterEdit['pull_policy']>;

export const PULL_POLICIES = ['IfNotPresent', 'Always', 'Never'] as const satisfies readonly PullPolicy[];

export interface Draft {
  name: string;
  kubeconfig: string;
  context: string;
  inCluster: boolean;
  namespace: string;
  image: string;
  helper: string;
  dns: boolean;
  pull_policy: PullPolicy;
  pull_secrets: string;
  tolerations: string;
  rdma_resource: string;
  admission_time: string;
  lost_time: string;
  description: string;
  block_class: string;
  filesystem_class: string;
  personal_claim: string;
  personal_size: string;
}

/** As the server has it for a cluster of which nothing is said. */
export const FRESH: Draft = {
  name: '',
  kubeconfig: '',
  context: '',
  inCluster: false,
  namespace: 'danlu-jobs',
  image: 'python:3.12-slim',
  helper: '',
  dns: true,
  pull_policy: 'IfNotPresent',
  pull_secrets: '',
  tolerations: 'nvidia.com/gpu, amd.com/gpu',
  rdma_resource: 'rdma/hca',
  admission_time: '1m',
  lost_time: '1m',
  description: '',
  block_class: '',
  filesystem_class: '',
  personal_claim: '',
  personal_size: '100GiB',
};

export function draftOf(cluster: Cluster): Draft {
  const { name, namespace, image, helper, dns, rdma_resource, admission_time, lost_time, description } = cluster;
  const { block_class, filesystem_class, personal_claim } = cluster;
  return {
    ...FRESH,
    name,
    namespace,
    image,
    helper,
    dns,
    rdma_resource,
    admission_time,
    lost_time,
    description,
    block_class,
    filesystem_class,
    personal_claim,
    personal_size: writeSize(cluster.personal_size),
    pull_policy: cluster.pull_policy as PullPolicy,
    pull_secrets: cluster.pull_secrets.join(', '),
    tolerations: cluster.tolerations.join(', '),
  };
}

const TEXTS = [
  'namespace',
  'image',
  'helper',
  'rdma_resource',
  'admission_time',
  'lost_time',
  'description',
  'block_class',
  'filesystem_class',
  'personal_claim',
  'personal_size',
] as const;
const LISTS = ['pull_secrets', 'tolerations'] as const;

/** The settings that differ from `before`, and how to sign in if that was said. */
export function toSend(draft: Draft, before: Draft = FRESH): Omit<ClusterEdit, 'force'> {
  const sent: Omit<ClusterEdit, 'force'> = {};
  for (const key of TEXTS) if (draft[key].trim() !== before[key]) sent[key] = draft[key].trim();
  for (const key of LISTS) if (draft[key] !== before[key]) sent[key] = wordsOf(draft[key]);
  if (draft.dns !== before.dns) sent.dns = draft.dns;
  if (draft.pull_policy !== before.pull_policy) sent.pull_policy = draft.pull_policy;
  if (draft.inCluster) return { ...sent, in_cluster: true };
  if (!draft.kubeconfig.trim()) return sent;
  const context = draft.context || contextsOf(draft.kubeconfig)?.current;
  if (!context) return { ...sent, kubeconfig: draft.kubeconfig };
  return { ...sent, kubeconfig: onlyContext(draft.kubeconfig, context), context };
}

function wordsOf(text: string): string[] {
  return text.split(/[\s,]+/).filter(Boolean);
}
