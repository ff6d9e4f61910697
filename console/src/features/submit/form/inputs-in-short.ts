/** What the fold of inputs says while it is closed. */
import type { Translate } from '@/app/i18n';
import { textAt } from '../file/reading';

/** In a line: `https://example.org/set.tar.gz → raw:/set/`. */
export function inputsInShort(inputs: readonly unknown[], t: Translate): string {
  if (inputs.length === 0) return t('inputs.none');
  return inputs.map((input) => `${textAt(input, ['from'])} → ${textAt(input, ['to'])}`).join(' · ');
}
