// What all browser tests share: a page that notes everything that must never happen, the API beside
// it, and measurements of what is seen.
import { readFileSync, mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { test as base, expect, type APIRequestContext, type Locator, type Page } from '@playwright/test';
import { sampleBytes, sampleName, samples } from './samples.ts';

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
  page_width: number;
  page_height: number;
}

export interface Hit {
  document_id: string;
  filename: string;
  unit_id: string;
  locator: { page?: number; start_ms?: number; end_ms?: number; box?: Box | null };
  boxes: Box[];
  snippet: string;
  highlights: [number, number][];
}

export interface SourceDocument {
  id: string;
  filename: string;
  state: string;
  reason: string | null;
  page_count: number | null;
}

export const baseUrl = (): string => process.env['SIGHTLINE_URL']!.replace(/\/$/, '');

interface Fixtures {
  /** A page on the product. The test fails on a request to another host, an error in the console,
   * an exception, or a breach of the content security policy. */
  app: Page;
  /** Noted failures that a test provokes on purpose. */
  allowed: RegExp[];
}

export const test = base.extend<Fixtures>({
  baseURL: async ({}, use) => use(baseUrl()),
  allowed: [[], { option: true }],
  app: async ({ page, allowed }, use) => {
    const faults: string[] = [];
    page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(baseUrl()) && !/^(blob|data):/.test(url)) faults.push(`asks ${url}`);
    });
    page.on('pageerror', (error) => faults.push(`throws ${error.message}`));
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(`says ${message.text()}`);
    });
    await use(page);
    expect(faults.filter((fault) => !allowed.some((pattern) => pattern.test(fault)))).toEqual([]);
  },
});

export { expect };

export async function documents(request: APIRequestContext): Promise<SourceDocument[]> {
  const answer = await request.get(`${baseUrl()}/v1/documents?limit=200`);
  expect(answer.ok()).toBe(true);
  return ((await answer.json()) as { documents: SourceDocument[] }).documents;
}

/** Newest document of that name. */
export async function documentOf(request: APIRequestContext, file: string): Promise<SourceDocument> {
  const found = (await documents(request)).find(({ filename }) => filename === sampleName(file));
  expect(found, `${file} is in the library`).toBeTruthy();
  return found!;
}

export const ingestLimitMs = 900_000;

/** Adds the samples that are not there yet (the same bytes are kept once) and waits for them. */
export async function ensureSamples(request: APIRequestContext): Promise<void> {
  const there = new Set((await documents(request)).map(({ filename }) => filename));
  for (const { file } of Object.values(samples)) {
    if (there.has(sampleName(file))) continue;
    const query = new URLSearchParams({ filename: sampleName(file), tag: 'story' });
    const answer = await request.post(`${baseUrl()}/v1/documents?${query}`, { data: sampleBytes(file) });
    expect(answer.status(), await answer.text()).toBeLessThan(300);
  }
  await expect
    .poll(
      async () =>
        (await documents(request))
          .filter(({ state }) => state !== 'ready')
          .map(({ filename, state, reason }) => `${filename}: ${state} ${reason ?? ''}`)
          .filter((line) => Object.values(samples).some(({ file }) => line.startsWith(sampleName(file)))),
      { timeout: ingestLimitMs, intervals: [1000] },
    )
    .toEqual([]);
}

/** Types a question, presses Enter, and gives the server's answer back. */
export async function ask(page: Page, query: string): Promise<Hit[]> {
  await page.locator('#query').fill(query);
  const answered = page.waitForResponse((response) => response.url().endsWith('/v1/search'));
  await page.locator('#query').press('Enter');
  const answer = await answered;
  expect(answer.status()).toBe(200);
  const { hits } = (await answer.json()) as { hits: Hit[] };
  await expect(page.locator('.hit-link').first()).toBeVisible();
  return hits;
}

/** The card that shows a hit. */
export function cardOf(page: Page, hit: Hit): Locator {
  return page.locator(`.hit[data-unit="${hit.unit_id}"]`);
}

/** Waits for an image, and proves that it has pixels. */
export async function expectLoaded(image: Locator): Promise<void> {
  await image.scrollIntoViewIfNeeded();
  await expect
    .poll(() => image.evaluate((element: HTMLImageElement) => element.complete && element.naturalWidth))
    .toBeGreaterThan(0);
}

/**
 * Share of pixels of an image or video, inside a box given in shares of its size, that differ from
 * the most frequent colour there: near 0 where nothing is drawn.
 */
export async function inkShare(
  element: Locator,
  part: { x: number; y: number; width: number; height: number } = { x: 0, y: 0, width: 1, height: 1 },
): Promise<number> {
  return element.evaluate((source, box) => {
    const media = source as HTMLImageElement & HTMLVideoElement;
    const width = media.naturalWidth || media.videoWidth;
    const height = media.naturalHeight || media.videoHeight;
    const canvas = document.createElement('canvas');
    canvas.width = 240;
    canvas.height = Math.max(8, Math.round((240 * box.height * height) / (box.width * width)));
    const context = canvas.getContext('2d')!;
    context.drawImage(
      media, box.x * width, box.y * height, box.width * width, box.height * height,
      0, 0, canvas.width, canvas.height,
    );
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    const counts = new Map<number, number>();
    for (let at = 0; at < data.length; at += 4) {
      const colour = ((data[at]! >> 4) << 8) | ((data[at + 1]! >> 4) << 4) | (data[at + 2]! >> 4);
      counts.set(colour, (counts.get(colour) ?? 0) + 1);
    }
    return 1 - Math.max(...counts.values()) / (data.length / 4);
  }, part);
}

interface Rect {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Where the strongest frame lies on its page, in points, as it is drawn on the screen. */
export async function framedPart(sheet: Locator, box: Box): Promise<Rect> {
  return sheet.evaluate((element, page) => {
    const outer = element.getBoundingClientRect();
    const inner = element.querySelector('.frame-current')!.getBoundingClientRect();
    const scale = page.page_width / outer.width;
    return {
      x: (inner.x - outer.x) * scale,
      y: (inner.y - outer.y) * (page.page_height / outer.height),
      width: inner.width * scale,
      height: inner.height * (page.page_height / outer.height),
    };
  }, box);
}

/** The frame lies around the box with a margin of at most 1 % of the page's width and its stroke. */
export function expectFramed(part: Rect, box: Box): void {
  const tolerance = box.page_width * 0.02;
  const sides = (rect: Rect) => [rect.x, rect.y, rect.x + rect.width, rect.y + rect.height];
  const expected = sides(box);
  sides(part).forEach((side, index) => {
    expect(Math.abs(side - expected[index]!), `side ${index} of the frame`).toBeLessThan(tolerance);
  });
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface AxeResult {
  violations: { id: string; impact: string | null; nodes: { target: unknown; failureSummary?: string }[] }[];
}

/** No serious or critical finding of axe on the page as it stands. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(axeSource);
  const result = await page.evaluate(
    () => (window as unknown as { axe: { run(): Promise<unknown> } }).axe.run() as Promise<AxeResult>,
  );
  const serious = result.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${String(node.target)} ${node.failureSummary}`));
  expect(serious).toEqual([]);
}

/** Nothing is wider than the screen. */
export async function expectNoSideScroll(page: Page): Promise<void> {
  const surplus = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(surplus).toBeLessThanOrEqual(0);
}

/** Saves a picture for the documentation, only when asked to (UPDATE_SCREENSHOTS=1). */
export async function picture(page: Page, name: string): Promise<void> {
  if (process.env['UPDATE_SCREENSHOTS'] !== '1') return;
  const folder = fileURLToPath(new URL('../../docs/screenshots/', import.meta.url));
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: `${folder}${name}.png` });
}
