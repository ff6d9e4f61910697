/** Turns the message catalogs into compiled modules, so that the browser ships no ICU parser. */
import { compileMessage } from '@lingui/message-utils/compileMessage';
import type { Plugin } from 'vite';

const CATALOG = /\/src\/locales\/[\w-]+(\/\w+)?\/[\w-]+\.json$/;

export function catalogs(): Plugin {
  return {
    name: 'danlu-catalogs',
    enforce: 'pre',
    transform(source, id) {
      if (!CATALOG.test(id)) return null;
      const messages = JSON.parse(source) as Record<string, string>;
      const compiled = Object.fromEntries(Object.entries(messages).map(([key, text]) => [key, compileMessage(text)]));
      return { code: `export default ${JSON.stringify(compiled)};`, map: null, moduleType: 'js' };
    },
  };
}
