/** Puts a tiny blocking script in the page's head that sets the colour scheme before the first paint (CSP allows no inline script). */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

export function earlyTheme(file: string): Plugin {
  const source = readFileSync(file, 'utf8');
  const name = `assets/theme-${createHash('sha256').update(source).digest('hex').slice(0, 8)}.js`;
  return {
    name: 'danlu-early-theme',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: name, source });
    },
    configureServer(server) {
      server.middlewares.use(`/${name}`, (_request, response) => {
        response.setHeader('Content-Type', 'text/javascript');
        response.end(source);
      });
    },
    transformIndexHtml: {
      order: 'post',
      handler: () => [{ tag: 'script', attrs: { src: `./${name}` }, injectTo: 'head' }],
    },
  };
}
