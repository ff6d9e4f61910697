/** Volumes in words. */
import type { VolumeKind } from '@/api/volumes';
import type { MessageKey } from '@/app/i18n';

export const KIND_WORDS: Record<VolumeKind, MessageKey> = {
  block: 'storage.block',
  filesystem: 'storage.filesystem',
  bucket: 'volumes.bucket',
  nfs: 'storage.nfs',
};
