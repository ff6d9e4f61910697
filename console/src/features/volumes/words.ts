/** Volumes in words. */
import type { VolumeKind, VolumeRow } from '@/api/volumes';
import type { MessageKey, Translate } from '@/app/i18n';
import { listed } from '@/app/i18n';

export const KIND_WORDS: Record<VolumeKind, MessageKey> = {
  block: 'storage.block',
  filesystem: 'storage.filesystem',
  bucket: 'volumes.bucket',
};

/** Whom it is shared with, in a line; empty where it is with nobody. */
export function sharedInShort({ shares, public: open }: Pick<VolumeRow, 'shares' | 'public'>, t: Translate): string {
  const names = shares.map(({ name }) => name);
  return listed(open ? [t('volumes.everybody'), ...names] : names);
}
