// Runs the browser tests for ctest: exit status 77 and a reason where they cannot run here.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const playwright = `${here}node_modules/@playwright/test/cli.js`;
const chromium = process.env.SIGHTLINE_CHROMIUM ?? '/usr/bin/chromium';

function skip(reason) {
  console.log(`SKIP ${reason}`);
  process.exit(77);
}

if (!existsSync(playwright)) skip('the packages of tests/browser are not installed: npm --prefix tests/browser ci');
if (!existsSync(chromium)) skip(`there is no browser at ${chromium}: apt-get install chromium`);
const run = spawnSync(process.execPath, [playwright, 'test', ...process.argv.slice(2)], {
  cwd: here,
  stdio: 'inherit',
});
process.exit(run.status ?? 1);
