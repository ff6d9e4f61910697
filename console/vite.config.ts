/** Build and test settings of the console. */
import react from '@vitejs/plugin-react';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { catalogs } from './build/catalogs.ts';
import { compress } from './build/compress.ts';
import { earlyTheme } from './build/early-theme.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const server = process.env.DANLU_URL ?? 'http://127.0.0.1:8910';

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
    // What most pages share comes as one file: sixty small ones compress worse and cost a header each.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'shared', minShareCount: 5 }] } } },
  },
  server: { proxy: { '/api': { target: server, ws: true } } },
  test: {
    environment: 'happy-dom',
    environmentOptions: { happyDOM: { url: 'http://danlu.test/' } },
    setupFiles: ['./src/testing/setup.ts'],
    css: false,
    testTimeout: 20_000,
    restoreMocks: true,
    unstubGlobals: true,
  },
});
