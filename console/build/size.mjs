// Measures what a first visit to each page downloads (gzip) and fails over budget. Run after `npm run build`.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const dist = new URL('../dist/', import.meta.url);
const manifest = JSON.parse(readFileSync(new URL('.vite/manifest.json', dist), 'utf8'));
const kB = (bytes) => (bytes / 1000).toFixed(1).padStart(7);

/** Everything that loading these modules fetches statically: chunks and style sheets. */
function closure(keys, seen = new Set(), files = new Set()) {
  for (const key of keys) {
    if (seen.has(key)) continue;
    seen.add(key);
    const chunk = manifest[key];
    files.add(chunk.file);
    for (const sheet of chunk.css ?? []) files.add(sheet);
    closure(chunk.imports ?? [], seen, files);
  }
  return files;
}

const sizeOf = (files) => [...files].reduce((sum, file) => sum + gzipSync(readFileSync(new URL(file, dist)), { level: 9 }).length, 0);
const find = (suffix) => {
  const key = Object.keys(manifest).find((name) => name.endsWith(suffix));
  if (!key) throw new Error(`no chunk ${suffix} in the build`);
  return key;
};

const entry = 'index.html';
const first = closure([entry]);
/** A page in Chinese, with the catalogs it waits for: the most that a visit may fetch. */
const visit = (page, words) =>
  closure([entry, ...['index', ...(words ? [words] : [])].map((name) => find(`locales/zh-CN/${name}.ts`)), find(page)]);
const extra = (suffix, base) => new Set([...closure([find(suffix)])].filter((file) => !base.has(file)));

const USUAL_BUDGET = 240;
const features = new URL('../src/features/', import.meta.url);
const PAGE = /\bpage\(\s*'([^']+)',\s*'(\w+)',\s*\(\) => import\('\.\/\w+'\)(?:,\s*\{([^}]*)\})?/g;

/** The pages of a feature as its manifest says them. */
function pagesOf(folder) {
  const said = readFileSync(new URL(`${folder}/manifest.ts`, features), 'utf8');
  const pages = [...said.matchAll(PAGE)];
  if (pages.length === 0 || pages.length !== said.split(/\bpage\(/).length - 1)
    throw new Error(`cannot read the pages in ${folder}/manifest.ts`);
  return pages.map(([, path, name, options = '']) => {
    const words = /words: '(\w+)'/.exec(options)?.[1];
    const budget = /budget: (\d+)/.exec(options)?.[1];
    return [path, visit(`features/${folder}/${name}.tsx`, words), Number(budget ?? USUAL_BUDGET)];
  });
}

const folders = readdirSync(features).filter((folder) => existsSync(new URL(`${folder}/manifest.ts`, features)));
const rows = [
  ['/sign-in', visit('sign-in/SignInPage.tsx'), 225],
  ...folders.flatMap(pagesOf),
  ['editor (lazy)', extra('code/CodeEditor.tsx', first), 180],
  ['terminal (lazy)', extra('terminal/Terminal.tsx', first), 95],
  ['charts (lazy)', extra('chart/LiveChart.tsx', first), 40],
];

let over = false;
for (const [name, files, budget] of rows) {
  const size = sizeOf(files);
  const ok = size <= budget * 1000;
  over ||= !ok;
  console.log(`${ok ? 'ok  ' : 'OVER'} ${name.padEnd(22)} ${kB(size)} kB gz of ${budget}`);
}
process.exit(over ? 1 : 0);
