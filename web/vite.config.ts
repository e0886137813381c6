import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

const server = 'http://127.0.0.1:8080';

export default defineConfig({
  base: '/static/',
  plugins: [react()],
  build: {
    outDir: '../src/longshore/http/ui/static',
    emptyOutDir: true,
    // Scripts and fonts as data: addresses would need a looser content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2022',
    manifest: true,
  },
  server: { proxy: { '/api': server, '/edi': server } },
  // Pure functions: nothing of one file is seen in another.
  test: { isolate: false, pool: 'threads', environment: 'node', include: ['src/**/*.test.ts'] },
});
