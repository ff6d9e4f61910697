// Measures what a first visit to each page downloads (gzip) and fails over budget. Run after `npm run build`.
import { readFileSync } from 'node:fs';
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
const locale = find('locales/zh-CN/index.ts');
const page = (suffix) => closure([entry, locale, find(suffix)]);
/** Of the pages where one governs, which have words of their own. */
const governing = (suffix) => closure([entry, locale, find('locales/zh-CN/governing.ts'), find(suffix)]);
/** Of those where a job is written. */
const composing = (suffix) => closure([entry, locale, find('locales/zh-CN/composing.ts'), find(suffix)]);
const extra = (suffix, base) => new Set([...closure([find(suffix)])].filter((file) => !base.has(file)));

const rows = [
  ['first load (sign-in)', page('sign-in/SignInPage.tsx'), 225],
  ['first load (overview)', page('overview/OverviewPage.tsx'), 225],
  ['jobs page', page('jobs/JobsPage.tsx'), 240],
  ['job page', page('job/JobPage.tsx'), 240],
  ['submit page', composing('submit/SubmitPage.tsx'), 285],
  ['queue page', page('queue/QueuePage.tsx'), 260],
  ['score page', page('scores/ScorePage.tsx'), 240],
  ['nodes page', page('nodes/NodesPage.tsx'), 240],
  ['node page', page('nodes/NodePage.tsx'), 240],
  ['clusters page', page('clusters/ClustersPage.tsx'), 240],
  ['profile page', governing('profile/ProfilePage.tsx'), 240],
  ['projects page', governing('projects/ProjectsPage.tsx'), 240],
  ['project page', governing('projects/ProjectPage.tsx'), 260],
  ['requests page', governing('requests/RequestsPage.tsx'), 240],
  ['people page', governing('users/UsersPage.tsx'), 240],
  ['person page', governing('users/UserPage.tsx'), 240],
  ['groups page', governing('groups/GroupsPage.tsx'), 240],
  ['group page', governing('groups/GroupPage.tsx'), 240],
  ['flavors page', page('flavors/FlavorsPage.tsx'), 240],
  ['pools page', page('pools/PoolsPage.tsx'), 240],
  ['quotas page', page('quotas/QuotasPage.tsx'), 240],
  ['priorities page', governing('priorities/PrioritiesPage.tsx'), 240],
  ['audit page', governing('audit/AuditPage.tsx'), 240],
  ['panel page', governing('panel/PanelPage.tsx'), 240],
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
