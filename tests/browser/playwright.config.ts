import { defineConfig } from '@playwright/test';

// Debian's own Chromium, so that nothing is downloaded. No test reaches another host.
const chromium = process.env['SIGHTLINE_CHROMIUM'] ?? '/usr/bin/chromium';

export default defineConfig({
  testDir: '.',
  outputDir: 'test-results',
  globalSetup: './product.ts',
  fullyParallel: false,
  workers: 1,
  retries: 0,
  timeout: 120_000,
  expect: { timeout: 20_000 },
  reporter: [['list'], ['./case_report.ts']],
  use: {
    viewport: { width: 1280, height: 820 },
    locale: 'en-US',
    trace: 'retain-on-failure',
    launchOptions: {
      executablePath: chromium,
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
});
