/** What comes with Danlu is described in the reader's language, as long as nobody described it. */
import type { MessageKey, Translate } from '@/app/i18n';

type Kind = 'project' | 'priority' | 'pool';

const MEANINGS: Record<Kind, Partial<Record<string, MessageKey>>> = {
  project: { public: 'builtIn.public' },
  priority: { low: 'builtIn.low', normal: 'builtIn.normal', high: 'builtIn.high' },
  pool: { default: 'builtIn.default' },
};

export function described(kind: Kind, { name, description }: { name: string; description: string }, t: Translate): string {
  const key = MEANINGS[kind][name];
  return description || (key ? t(key) : '');
}
