// Keyboard, languages, light and dark, phone width, accessibility, links, errors.
import { ask, documentOf, ensureSamples, expect, expectAccessible, expectNoSideScroll, picture, test } from './sightline.ts';
import { questions, samples } from './samples.ts';
import type { APIRequestContext, Page } from '@playwright/test';

test.beforeAll(async ({ request }) => {
  test.setTimeout(960_000);
  await ensureSamples(request);
});

/** Every kind of page, with the element that says it is there. */
async function places(request: APIRequestContext): Promise<[string, string][]> {
  const english = await documentOf(request, samples.english.file);
  const video = await documentOf(request, samples.video.file);
  const image = await documentOf(request, samples.picture.file);
  const query = encodeURIComponent(questions.english.query);
  return [
    ['/', '#query'],
    [`/?q=${query}`, '.hit-link'],
    [`/d/${english.id}/p/${questions.english.pages[0]}?q=${query}`, '.stage[data-ready="true"]'],
    [`/d/${video.id}?t=8&q=${encodeURIComponent(questions.moment.query)}`, '.timeline'],
    [`/d/${image.id}`, '.picture-sheet img'],
    ['/library', '.row'],
    ['/system', '.table'],
  ];
}

async function visit(page: Page, [path, sign]: [string, string]): Promise<void> {
  await page.goto(path);
  await expect(page.locator(sign).first()).toBeVisible();
}

test('EveryViewIsAccessible', async ({ app, request }) => {
  test.setTimeout(240_000);
  for (const place of await places(request)) {
    await visit(app, place);
    await test.step(place[0], () => expectAccessible(app));
  }
});

test.describe('InTheDark', () => {
  test.use({ colorScheme: 'dark', locale: 'zh-CN' });

  test('EveryViewIsAccessibleInTheDarkAndInChinese', async ({ app, request }) => {
    test.setTimeout(240_000);
    for (const place of await places(request)) {
      await visit(app, place);
      await test.step(place[0], () => expectAccessible(app));
    }
    await visit(app, (await places(request))[1]!);
    await picture(app, 'search-dark-zh');
  });

  test('TheThemeFollowsTheSystemUntilSomebodyChooses', async ({ app }) => {
    await app.goto('/');
    const luminance = () =>
      app.evaluate(() => {
        const parts = getComputedStyle(document.body).backgroundColor.match(/[\d.]+/g)!.map(Number);
        return (parts[0]! + parts[1]! + parts[2]!) / 3;
      });
    expect(await luminance()).toBeLessThan(60);
    const button = app.locator('[data-theme-choice]');
    await button.click();
    await expect(button).toHaveAttribute('data-theme-choice', 'dark');
    await button.click();
    await expect(button).toHaveAttribute('data-theme-choice', 'light');
    expect(await luminance()).toBeGreaterThan(200);
    await app.reload();
    expect(await luminance()).toBeGreaterThan(200);
  });
});

test.describe('OnAPhone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test('NothingIsWiderThanTheScreen', async ({ app, request }) => {
    test.setTimeout(180_000);
    for (const place of await places(request)) {
      await visit(app, place);
      await test.step(place[0], () => expectNoSideScroll(app));
    }
    await visit(app, (await places(request))[1]!);
    await picture(app, 'search-phone');
  });
});

test('EverythingIsDoneWithTheKeyboard', async ({ app }) => {
  await app.goto('/');
  await expect(app.locator('#query')).toBeFocused();
  await ask(app, questions.english.query);
  const links = app.locator('.hit-link');
  await expect(app.locator('#query')).toBeFocused();
  await app.keyboard.press('ArrowDown');
  await expect(links.nth(0)).toBeFocused();
  await app.keyboard.press('ArrowDown');
  await expect(links.nth(1)).toBeFocused();
  await app.keyboard.press('ArrowUp');
  await expect(links.nth(0)).toBeFocused();
  await app.keyboard.press('Enter');
  await expect(app).toHaveURL(/\/d\//);
  await app.keyboard.press('Escape');
  await expect(links.nth(0)).toBeFocused();
  await app.keyboard.press('Escape');
  await expect(app.locator('#query')).toBeFocused();
  await app.locator('.nav a', { hasText: 'Library' }).focus();
  await app.keyboard.press('Enter');
  await expect(app).toHaveURL(/\/library/);
  await app.keyboard.press('/');
  await expect(app.locator('#query')).toBeFocused();
  await app.keyboard.press('Tab');
  await app.locator('body').press('?');
  await expect(app.getByRole('dialog')).toBeVisible();
  await app.keyboard.press('Escape');
  await expect(app.getByRole('dialog')).toHaveCount(0);
});

test('TypingAsksNothing', async ({ app }) => {
  await app.goto('/');
  const asked: string[] = [];
  app.on('request', (request) => {
    if (request.url().includes('/v1/search')) asked.push(request.url());
  });
  await app.locator('#query').pressSequentially(questions.english.query.slice(0, 30), { delay: 20 });
  await app.waitForLoadState('networkidle');
  expect(asked).toEqual([]);
});

test('TheLanguageIsSwitchedAndKept', async ({ app }) => {
  await app.goto('/library');
  await expect(app.locator('h1')).toHaveText('Library');
  await app.getByRole('button', { name: '中文' }).click();
  await expect(app.locator('h1')).toHaveText('资料库');
  await expect(app.locator('html')).toHaveAttribute('lang', 'zh-CN');
  await app.reload();
  await expect(app.locator('h1')).toHaveText('资料库');
});

test('EveryLinkOpensWhatItNames', async ({ app, request, context }) => {
  const english = await documentOf(request, samples.english.file);
  await app.goto(`/d/${english.id}`);
  await expect(app).toHaveURL(new RegExp(`/d/${english.id}/p/1$`));
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await app.getByRole('button', { name: 'Copy link' }).click();
  await expect
    .poll(() => app.evaluate(() => navigator.clipboard.readText()))
    .toMatch(new RegExp(`/d/${english.id}/p/1$`));
});

test.describe('Errors', () => {
  test.use({ allowed: [/status of 404/] });

  test('SayTheirCodeAndWhatToDo', async ({ app }) => {
    await app.goto('/d/01JZZZZZZZZZZZZZZZZZZZZZZZ/p/1');
    const note = app.getByRole('alert');
    await expect(note).toContainText('It may have been deleted');
    await expect(note.locator('code')).toHaveText(/\w+/);
    await expectAccessible(app);
  });
});
