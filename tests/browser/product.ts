// Starts the product for the whole run, on an empty data folder, unless one is already running.
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, openSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const startLimitMs = 60_000;
const stopLimitMs = 20_000;

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/health/ready`)).ok;
  } catch {
    // Nobody listens yet.
    return false;
  }
}

async function waitUntilReady(url: string, process: ChildProcess, log: string): Promise<void> {
  const end = Date.now() + startLimitMs;
  while (!(await isReady(url))) {
    if (process.exitCode !== null) throw new Error(`sightline ended while starting; see ${log}`);
    if (Date.now() > end) throw new Error(`sightline was not ready in time; see ${log}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

async function stop(process: ChildProcess): Promise<void> {
  const ended = new Promise<void>((resolve) => process.once('exit', () => resolve()));
  process.kill('SIGTERM');
  const kill = setTimeout(() => process.kill('SIGKILL'), stopLimitMs);
  await ended;
  clearTimeout(kill);
}

export default async function startProduct(): Promise<(() => Promise<void>) | void> {
  if (process.env['SIGHTLINE_URL']) return undefined;
  const binary = process.env['SIGHTLINE_BIN'];
  if (!binary) {
    throw new Error('Set SIGHTLINE_BIN to the sightline program, or SIGHTLINE_URL to a server.');
  }
  const folder = mkdtempSync(join(tmpdir(), 'sightline-browser-'));
  const log = join(folder, 'server.log');
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const output = openSync(log, 'w');
  const args = ['serve', '--data', join(folder, 'data'), '--port', String(port)];
  const server = spawn(binary, args, { stdio: ['ignore', output, output] });
  await waitUntilReady(url, server, log);
  process.env['SIGHTLINE_URL'] = url;
  return async () => {
    await stop(server);
    if (process.env['SIGHTLINE_KEEP'] !== '1') rmSync(folder, { recursive: true, force: true });
  };
}
