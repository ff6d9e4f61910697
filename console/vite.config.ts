/** Build and test settings of the console. */
import react from '@vitejs/plugin-react';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { catalogs } from './build/catalogs.ts';
import { compress } from './build/compress.ts';
import { earlyTheme } from './build/early-theme.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const server = process.env.DANLU_URL ?? 'http://127.0.0.1:8910';

const LIBRARIES = /node_modules\/(react|react-dom|scheduler|@tanstack|openapi-fetch|@lingui|use-sync-external-store|clsx)\//;
const KIT = /@mantine\/(hooks|core\/esm\/(core|utils|components\/(Button|UnstyledButton|ActionIcon|Loader|Transition|Portal|Overlay)))\//;
const OURS = /\/src\/(app|api|ui\/(?:\w+\/)?(icons|format|Time|clock|States|Panel|Status|Keys|Dropdown)[.\w]*$)/;
const ON_EVERY_PAGE = new RegExp([LIBRARIES, KIT, OURS].map(({ source }) => source).join('|'));
/** What the frame itself is made of; a few others share it. */
const FRAME =
  /\/src\/(app\/(?:(?:frame|news)\/)?[^/]+|api\/(?:\w+\/)?[^/]+|features\/(index|\w+\/(manifest|search))\.ts|parts\/(\w+|jobs\/size)\.ts|ui\/\w+\/(Keys|Dropdown|focus-place)[^/]*)$/;
const GROUPS = [
  { name: 'shared', minShareCount: 26, test: ON_EVERY_PAGE },
  { name: 'frame', minShareCount: 2, test: FRAME },
];

export default defineConfig({
  base: './',
  plugins: [catalogs(), react(), earlyTheme(here('./src/app/early-theme.js')), compress()],
  resolve: { alias: { '@': here('./src') } },
  build: {
    target: 'es2022',
    manifest: true,
    assetsInlineLimit: 2048,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 800,
    // What the first page needs and most others share comes as two files: sixty small ones compress worse and cost a
    // header each. Dialogs, selects and the like stay outside: no first page waits for them.
    rolldownOptions: { output: { codeSplitting: { groups: GROUPS } } },
  },
  server: { proxy: { '/api': { target: server, ws: true } } },
  test: {
    environment: 'happy-dom',
    environmentOptions: { happyDOM: { url: 'http://danlu.test/' } },
    setupFiles: ['./src/testing/setup.ts'],
    css: false,
    // A test that takes so long hangs; what it waits for in vain is told before.
    testTimeout: 240_000,
    restoreMocks: true,
    unstubGlobals: true,
    // The usual number leaves a core to whoever watches.
    maxWorkers: '100%',
    // Pages hold state in their modules (the cache of answers, messages), so each file of theirs has modules of its own.
    // Functions hold none, and their tests mock no module; what they load is loaded once.
    projects: [
      { extends: true, test: { name: 'functions', include: ['src/**/*.test.ts'], isolate: false } },
      { extends: true, test: { name: 'pages', include: ['src/**/*.test.tsx'] } },
    ],
  },
});
