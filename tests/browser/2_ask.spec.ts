// Questions in words and by picture; each checks the evidence that is seen, not only that a card is.
import { ask, cardOf, ensureSamples, expect, expectFramed, expectLoaded, framedPart, inkShare, picture, test, type Box, type Hit } from './sightline.ts';
import { questions, sampleBytes, sampleName, samples, type Question } from './samples.ts';
import type { APIRequestContext, Page } from '@playwright/test';
import { baseUrl } from './sightline.ts';

test.beforeAll(async ({ request }) => {
  test.setTimeout(960_000);
  await ensureSamples(request);
});

/** The best hit of the document that answers, among the first three. */
function answering(hits: Hit[], question: Question): Hit {
  const found = hits
    .slice(0, 3)
    .find(
      ({ filename, locator }) =>
        filename === sampleName(question.file) &&
        (question.pages === undefined || question.pages.includes(locator.page ?? 0)),
    );
  expect(found, `an answer from ${question.file} among the first three`).toBeTruthy();
  return found!;
}

async function textInside(request: APIRequestContext, hit: Hit, box: Box): Promise<string> {
  const path = `/v1/documents/${hit.document_id}/units?page=${hit.locator.page}`;
  const { units } = (await (await request.get(baseUrl() + path)).json()) as {
    units: { text: string; kind: string; locator: { box?: Box | null } }[];
  };
  const inside = units.filter(({ kind, locator: { box: own } }) => {
    if (!own || kind === 'page') return false;
    return Math.abs(own.x - box.x) < 1 && Math.abs(own.y - box.y) < 1 && Math.abs(own.height - box.height) < 1;
  });
  return inside.map(({ text }) => text).join('\n');
}

/** The card shows the page, the region is framed where the API says, and it is the right region. */
async function expectPageEvidence(page: Page, request: APIRequestContext, hit: Hit, words: RegExp) {
  const card = cardOf(page, hit);
  const image = card.locator('.hit-evidence img');
  await expectLoaded(image);
  const box = hit.boxes[0]!;
  expect(box, 'the hit has a region').toBeTruthy();
  const sheet = card.locator('.crop-page');
  expectFramed(await framedPart(sheet, box), box);
  // The framed region is inside the window of the card.
  const window_ = (await card.locator('.hit-evidence').boundingBox())!;
  const frame = (await card.locator('.frame-current').boundingBox())!;
  expect(frame.x).toBeGreaterThanOrEqual(window_.x - 2);
  expect(frame.y).toBeGreaterThanOrEqual(window_.y - 2);
  expect(frame.x + frame.width).toBeLessThanOrEqual(window_.x + window_.width + 2);
  expect(frame.y + frame.height).toBeLessThanOrEqual(window_.y + window_.height + 2);
  const share = {
    x: box.x / box.page_width,
    y: box.y / box.page_height,
    width: box.width / box.page_width,
    height: box.height / box.page_height,
  };
  expect(await inkShare(image, share), 'something is printed in the frame').toBeGreaterThan(0.02);
  expect(await textInside(request, hit, box)).toMatch(words);
}

async function expectMarks(page: Page, hit: Hit) {
  const points = Array.from(hit.snippet);
  const expected = hit.highlights.map(([start, end]) => points.slice(start, end).join(''));
  const marks = await cardOf(page, hit).locator('.hit-snippet mark').allTextContents();
  expect(marks.join(' ')).toBe(expected.join(' '));
  expect(marks.length).toBeGreaterThan(0);
}

test('AnEnglishQuestionShowsThePageWithTheRegionFramed', async ({ app, request }) => {
  await app.goto('/');
  const hit = answering(await ask(app, questions.english.query), questions.english);
  await expectPageEvidence(app, request, hit, questions.english.words);
  await expectMarks(app, hit);
  await expect(cardOf(app, hit).locator('.why li').first()).toBeVisible();
  await expect(app.locator('.result-line')).toContainText(/\d+ results?.*\d+ documents?/);
  await expect(app.locator('.timing-button')).toHaveText(/\d+(\.\d+)? (ms|s)/);
  await picture(app, 'search-en');
});

for (const name of ['englishToChinese', 'plot'] as const) {
  test(`AQuestionFindsItsPage: ${name}`, async ({ app, request }) => {
    await app.goto('/');
    const question = questions[name];
    const hit = answering(await ask(app, question.query), question);
    await expectPageEvidence(app, request, hit, question.words);
  });
}

test.describe('InChinese', () => {
  test.use({ locale: 'zh-CN' });

  test('AChineseQuestionShowsThePageWithTheRegionFramed', async ({ app, request }) => {
    await app.goto('/');
    await expect(app.locator('html')).toHaveAttribute('lang', 'zh-CN');
    const hit = answering(await ask(app, questions.chinese.query), questions.chinese);
    await expectPageEvidence(app, request, hit, questions.chinese.words);
    await expectMarks(app, hit);
    await expect(cardOf(app, hit).locator('.hit-where')).toContainText(`第 ${hit.locator.page} 页`);
    await picture(app, 'search-zh');
  });
});

test('APastedPictureFindsThePicture', async ({ app }) => {
  await app.goto('/');
  const answered = app.waitForResponse((response) => response.url().endsWith('/v1/search'));
  const file = { base64: sampleBytes(samples.picture.file).toString('base64'), type: samples.picture.type };
  await app.locator('#query').evaluate((field, { base64, type }) => {
    const bytes = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
    const data = new DataTransfer();
    data.items.add(new File([bytes], 'pasted', { type }));
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
  }, file);
  const { hits } = (await (await answered).json()) as { hits: Hit[] };
  await expectLoaded(app.locator('.query-picture img'));
  expect(hits[0]!.filename).toBe(sampleName(samples.picture.file));
  await expectLoaded(cardOf(app, hits[0]!).locator('.hit-evidence img'));
  await picture(app, 'search-picture');

  // The picture is part of the address: a reload finds it again.
  await expect(app).toHaveURL(/[?&]img=/);
  await app.reload();
  await expectLoaded(app.locator('.query-picture img'));
  await expect(cardOf(app, hits[0]!)).toBeVisible();
  await app.locator('.query-picture').click();
  await expect(app.locator('.query-picture')).toHaveCount(0);
});

test('APageHitOpensAtItsRegionWithTextThatCanBeSelected', async ({ app }) => {
  await app.goto('/');
  const hit = answering(await ask(app, questions.english.query), questions.english);
  const link = cardOf(app, hit).locator('.hit-link');
  await link.focus();
  await app.keyboard.press('Enter');
  await expect(app).toHaveURL(new RegExp(`/d/${hit.document_id}/p/${hit.locator.page}\\?`));
  const stage = app.locator('.stage');
  await expect(stage).toHaveAttribute('data-ready', 'true');
  const box = hit.boxes[0]!;
  expectFramed(await framedPart(app.locator('.sheet'), box), box);
  const frame = (await app.locator('.sheet .frame-current').boundingBox())!;
  const window_ = (await stage.boundingBox())!;
  expect(frame.y).toBeGreaterThanOrEqual(window_.y - 1);
  expect(frame.y).toBeLessThan(window_.y + window_.height);

  const selected = await app.evaluate(() => {
    getSelection()!.selectAllChildren(document.querySelector('.text-layer')!);
    return getSelection()!.toString();
  });
  expect(selected).toMatch(questions.english.words);
  await app.evaluate(() => getSelection()!.removeAllRanges());
  await picture(app, 'page');

  const before = (await app.locator('.sheet').boundingBox())!.width;
  await app.keyboard.press('+');
  await expect.poll(async () => (await app.locator('.sheet').boundingBox())!.width).toBeGreaterThan(before);
  await app.keyboard.press('0');
  await app.keyboard.press('ArrowRight');
  await expect(app).toHaveURL(new RegExp(`/p/${hit.locator.page! + 1}\\?`));
  await expect(stage).toHaveAttribute('data-ready', 'true');
  await app.keyboard.press('Escape');
  await expect(app).toHaveURL(/\/\?q=/);
  await expect(link).toBeFocused();
});

test('AZoomedPageIsSharp', async ({ app, request }) => {
  await app.goto('/');
  const hit = answering(await ask(app, questions.english.query), questions.english);
  await cardOf(app, hit).locator('.hit-link').click();
  await expect(app.locator('.stage')).toHaveAttribute('data-ready', 'true');
  const image = app.locator('.sheet-image');
  /** Pixels of the picture for each pixel of the screen; the server draws 3000 at most. */
  const sharpness = () =>
    image.evaluate((element: HTMLImageElement) => {
      const shown = Math.floor(element.clientWidth * window.devicePixelRatio);
      return element.complete ? element.naturalWidth / Math.min(shown, 3000) : 0;
    });
  await expect.poll(sharpness, 'sharp as it is opened').toBeGreaterThanOrEqual(1);
  const fitted = (await app.locator('.sheet').boundingBox())!.width;
  for (let step = 0; step < 4; ++step) await app.keyboard.press('+');
  await expect
    .poll(async () => (await app.locator('.sheet').boundingBox())!.width, 'three times as large')
    .toBeGreaterThan(2.9 * fitted);
  await expect.poll(sharpness, 'sharp when zoomed').toBeGreaterThanOrEqual(1);
  const box = hit.boxes[0]!;
  expectFramed(await framedPart(app.locator('.sheet'), box), box);

  const address = `${baseUrl()}/v1/documents/${hit.document_id}/pages/${hit.locator.page}/image`;
  expect((await request.get(`${address}?width=3001`)).status()).toBe(400);
});

test('AMomentPlaysFromItsSecond', async ({ app }) => {
  await app.goto('/');
  const hit = answering(await ask(app, questions.moment.query), questions.moment);
  const startS = hit.locator.start_ms! / 1000;
  const [from, to] = questions.moment.seconds;
  expect(startS).toBeGreaterThanOrEqual(from - 1);
  expect(startS).toBeLessThanOrEqual(to);
  const card = cardOf(app, hit);
  await expectLoaded(card.locator('.hit-evidence img'));
  await expect(card.locator('.time-badge')).toHaveText(/\d+:\d\d/);

  // In the card, by a press.
  await card.locator('.moment-frame').click();
  const small = card.locator('video');
  await expect
    .poll(() => small.evaluate((video: HTMLVideoElement) => !video.seeking && video.readyState >= 2 && video.currentTime))
    .toBeGreaterThanOrEqual(startS - 0.1);
  expect(await small.evaluate((video: HTMLVideoElement) => video.currentTime)).toBeLessThan(startS + 30);

  // In its own view, still until somebody plays it.
  await card.locator('.hit-link').click();
  await expect(app).toHaveURL(new RegExp(`/d/${hit.document_id}\\?t=`));
  const video = app.locator('video.player');
  await expect
    .poll(() => video.evaluate((one: HTMLVideoElement) => !one.seeking && one.readyState >= 2))
    .toBe(true);
  const now = await video.evaluate((one: HTMLVideoElement) => ({ at: one.currentTime, paused: one.paused }));
  expect(now.paused).toBe(true);
  expect(Math.abs(now.at - startS)).toBeLessThan(0.5);
  expect(await inkShare(video), 'a frame is painted').toBeGreaterThan(0.02);
  await expect(app.locator('.timeline-mark').first()).toBeVisible();
  await picture(app, 'video');
  await app.keyboard.press('Escape');
  await expect(app).toHaveURL(/\/\?q=/);
});

test('TheTranscriptLeadsToItsMoment', async ({ app, request }) => {
  const hit = answering(
    (await (
      await request.post(`${baseUrl()}/v1/search`, { data: { query: questions.moment.query, top_k: 10 } })
    ).json()).hits as Hit[],
    questions.moment,
  );
  await app.goto(`/d/${hit.document_id}?t=0`);
  const lines = app.locator('.transcript-line');
  await expect(lines.first()).toBeVisible();
  const last = lines.last();
  const label = (await last.locator('.transcript-time').textContent())!.split(':').map(Number);
  const seconds = label.reduce((sum, part) => sum * 60 + part, 0);
  await last.click();
  const video = app.locator('video.player');
  await expect
    .poll(() => video.evaluate((one: HTMLVideoElement) => Math.floor(one.currentTime)))
    .toBe(seconds);
  await expect(app).toHaveURL(/[?&]t=\d/);
  const word = (await last.textContent())!.match(/[A-Za-z]{5,}|[\u4e00-\u9fff]{2}/)![0];
  await app.locator('.transcript-head input[type="search"]').fill(word);
  await expect(app.locator('.transcript-line mark').first()).toHaveText(new RegExp(word, 'i'));
});

test('FiltersStandInTheAddressAndAnEmptyAnswerOffersToDropThem', async ({ app }) => {
  await app.goto('/');
  await ask(app, questions.english.query);
  await app.getByRole('button', { name: 'Moments' }).click();
  await expect(app).toHaveURL(/kind=moment/);
  await expect(app.locator('.hit[data-kind="page"]')).toHaveCount(0);
  await app.goto(`/?q=${encodeURIComponent(questions.english.query)}&tag=no-such-tag`);
  await expect(app.locator('.empty')).toBeVisible();
  await app.locator('.empty-actions button').first().click();
  await expect(app).not.toHaveURL(/tag=/);
  await expect(app.locator('.hit-link').first()).toBeVisible();
});
