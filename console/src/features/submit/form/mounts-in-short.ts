/** What the fold of mounts says while it is closed. */
import type { Translate } from '@/app/i18n';
import { textAt } from '../file/reading';

/** In a line: `imagenet → /data`. */
export function mountsInShort(mounts: readonly unknown[], t: Translate): string {
  if (mounts.length === 0) return t('mounts.none');
  return mounts
    .map((mount) => `${textAt(mount, ['volume']) || textAt(mount, ['dataset']) || t('mounts.local')} → ${textAt(mount, ['path'])}`)
    .join(' · ');
}
