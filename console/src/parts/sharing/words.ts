/** Sharing in words. */
import type { VolumeShare } from '@/api/volumes';
import type { Translate } from '@/app/i18n';
import { listed } from '@/app/i18n';

/** Whom it is shared with, in a line; empty where it is with nobody. */
export function sharedInShort({ shares, public: open }: { shares: VolumeShare[]; public: boolean }, t: Translate): string {
  const names = shares.map(({ name }) => name);
  return listed(open ? [t('sharing.everybody'), ...names] : names);
}
