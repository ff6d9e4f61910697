/** What the fold of outputs says while it is closed. */
import type { Translate } from '@/app/i18n';
import { textAt } from '../file/reading';

/** In a line: `out/features → features`. */
export function outputsInShort(outputs: readonly unknown[], t: Translate): string {
  if (outputs.length === 0) return t('keep.none');
  return outputs.map((one) => `${textAt(one, ['path'])} → ${textAt(one, ['dataset']) || textAt(one, ['to'])}`).join(' · ');
}
