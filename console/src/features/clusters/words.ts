/** What the state of a cluster means. */
import type { Cluster, ClusterState } from '@/api/clusters';
import type { MessageKey, Translate } from '@/app/i18n';

const MEANINGS: Partial<Record<ClusterState, MessageKey>> = {
  unreachable: 'clusters.unreachableText',
  empty: 'clusters.emptyText',
  no_credentials: 'clusters.noCredentialsText',
};

/** In its own words where it has any; nothing where all is well. */
export function troubleOf({ state, why }: Pick<Cluster, 'state' | 'why'>, t: Translate): string | null {
  const meaning = MEANINGS[state];
  return meaning ? why || t(meaning) : null;
}
