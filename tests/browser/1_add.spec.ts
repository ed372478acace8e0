// Files are dropped on the page and watched until they can be searched.
import { ensureSamples, expect, expectAccessible, documentOf, documents, ingestLimitMs, picture, test } from './sightline.ts';
import { sampleBytes, sampleName, samples } from './samples.ts';

test('DroppedFilesBecomeSearchable', async ({ app, request }) => {
  test.setTimeout(ingestLimitMs + 60_000);
  // A server that somebody lent to the tests may hold the samples already.
  const known = (await documents(request)).length;
  await app.goto('/');
  await expect(app.locator('#query')).toBeFocused();
  if (known === 0) {
    await expect(app.locator('.home-empty')).toBeVisible();
    await picture(app, 'home-empty');
  }
  const files = Object.values(samples).map(({ file, type }) => ({
    name: sampleName(file),
    type,
    base64: sampleBytes(file).toString('base64'),
  }));
  const transfer = await app.evaluateHandle((list) => {
    const data = new DataTransfer();
    for (const { name, type, base64 } of list) {
      const bytes = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
      data.items.add(new File([bytes], name, { type }));
    }
    return data;
  }, files);
  await app.dispatchEvent('body', 'dragover', { dataTransfer: transfer });
  await expect(app.locator('.drop-veil')).toBeVisible();
  await app.dispatchEvent('body', 'drop', { dataTransfer: transfer });
  await expect(app).toHaveURL(/\/library$/);
  await expect(app.locator('.drop-veil')).toBeHidden();

  // Everything that the rows say on the way is noted, also what lasts a moment only.
  await app.evaluate(() => {
    const seen = new Set<string>();
    (window as unknown as { seen: Set<string> }).seen = seen;
    const look = () => {
      for (const row of document.querySelectorAll<HTMLElement>('.row')) {
        seen.add(row.dataset['state']!);
        const progress = row.querySelector('.row-progress')?.textContent;
        if (progress) seen.add(progress);
      }
    };
    look();
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
  });
  for (const { file } of Object.values(samples)) {
    const row = app.locator('.row', { hasText: sampleName(file) }).first();
    await expect(row).toHaveAttribute('data-state', 'ready', { timeout: ingestLimitMs });
  }
  const seen = await app.evaluate(() => [...(window as unknown as { seen: Set<string> }).seen]);
  expect(seen).toContain('ready');
  if (known === 0) {
    expect(seen).toContain('processing');
    expect(seen.filter((text) => /\d/.test(text)), 'progress in pages or seconds').not.toEqual([]);
  }
  await ensureSamples(request);
  await expectAccessible(app);
  await app.locator('.uploads button').first().click();
  await expect(app.locator('.uploads')).toBeHidden();
  await picture(app, 'library');
});

test('TheSameFileIsKeptOnce', async ({ app, request }) => {
  await ensureSamples(request);
  const before = await documentOf(request, samples.picture.file);
  await app.goto('/library');
  await app.locator('#add-files').setInputFiles({
    name: sampleName(samples.picture.file),
    mimeType: samples.picture.type,
    buffer: sampleBytes(samples.picture.file),
  });
  await expect(app.locator('.upload[data-state="existed"]')).toHaveCount(1);
  expect((await documentOf(request, samples.picture.file)).id).toBe(before.id);
});

test.describe('ABrokenFile', () => {
  test('SaysWhyItFailedAndIsDeletedAfterOneQuestion', async ({ app }) => {
    test.setTimeout(630_000);
    await app.goto('/library');
    const name = `broken-${Date.now()}.pdf`;
    await app.locator('#add-files').setInputFiles({
      name,
      mimeType: 'application/pdf',
      buffer: Buffer.from(`%PDF-1.7\nnothing of a PDF follows ${name}\n`),
    });
    const row = app.locator('.row', { hasText: name });
    await expect(row).toHaveAttribute('data-state', 'failed', { timeout: 600_000 });
    await expect(row.locator('.row-reason strong')).not.toBeEmpty();
    expect(await app.locator('.row').first().getAttribute('data-state')).toBe('failed');
    await row.getByRole('button', { name: /^Delete/ }).click();
    const dialog = app.getByRole('dialog');
    await expect(dialog).toContainText(name);
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await expect(row).toHaveCount(0);
  });
});
