import { defineConfig } from 'vitest/config';

// The server serves web/dist from its own origin; in development Vite passes the API on to
// SIGHTLINE_URL (a running server, or dev/fake_server.mjs).
const server = process.env['SIGHTLINE_URL'] ?? 'http://127.0.0.1:7801';

export default defineConfig({
  esbuild: { jsx: 'automatic', jsxImportSource: 'preact' },
  build: {
    target: 'es2021',
    // Everything stays a file of its own: the content security policy allows no data: scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    cssCodeSplit: false,
    reportCompressedSize: false,
  },
  server: {
    host: '127.0.0.1',
    port: 7805,
    proxy: { '/v1': server, '/health': server },
  },
  test: { environment: 'node', include: ['src/**/*.test.{ts,tsx}'], restoreMocks: true },
});
