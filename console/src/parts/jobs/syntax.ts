/** What the YAML parser complains of, in words that say what to do. */
import type { YAMLParseError } from 'yaml';
import type { MessageKey } from '@/app/i18n';

const BY_CODE: Partial<Record<string, MessageKey>> = {
  BAD_ALIAS: 'yaml.alias',
  BAD_INDENT: 'yaml.indent',
  BAD_SCALAR_START: 'yaml.scalar',
  DUPLICATE_KEY: 'yaml.duplicate',
  MULTILINE_IMPLICIT_KEY: 'yaml.line',
  MULTIPLE_DOCS: 'yaml.many',
  TAB_AS_INDENT: 'yaml.tab',
  UNEXPECTED_TOKEN: 'yaml.unexpected',
};

/** Null where we know no better words than the parser's own. */
export function syntaxKey({ code, message }: Pick<YAMLParseError, 'code' | 'message'>): MessageKey | null {
  if (code === 'MISSING_CHAR') {
    if (/quote/i.test(message)) return 'yaml.quote';
    if (/flow|\]|\}/i.test(message)) return 'yaml.bracket';
    return 'yaml.colon';
  }
  if (code === 'BAD_INDENT' && /flow/i.test(message)) return 'yaml.bracket';
  return BY_CODE[code] ?? null;
}
