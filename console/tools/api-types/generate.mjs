// Writes TypeScript types for an OpenAPI document: generate.mjs INPUT OUTPUT (both relative to the caller's directory).
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const [input, output = join(here, '../../src/api/schema.d.ts')] = process.argv.slice(2);
if (!input) {
  console.error('usage: npm run api:types -- INPUT [OUTPUT]    INPUT is an OpenAPI document, OUTPUT a .d.ts file');
  process.exit(2);
}

const started = process.env.INIT_CWD ?? process.cwd();
const cli = join(here, 'node_modules/openapi-typescript/bin/cli.js');
if (!existsSync(cli)) {
  // Its own folder, because the generator needs an older TypeScript than the console.
  const npm = process.env.npm_execpath;
  const [command, args] = npm ? [process.execPath, [npm]] : ['npm', []];
  execFileSync(command, [...args, 'ci', '--no-audit', '--no-fund'], { cwd: here, stdio: 'inherit' });
}
// What has a default may be left out when sending it.
const options = ['--default-non-nullable', 'false', '--output', resolve(started, output)];
execFileSync(process.execPath, [cli, resolve(started, input), ...options], { cwd: here, stdio: 'inherit' });
