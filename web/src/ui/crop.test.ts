import { describe, expect, it } from 'vitest';
import { cropAround, isWholePage } from './crop';

const page = { width: 595, height: 842 };
const box = (x: number, y: number, width: number, height: number) => ({
  x,
  y,
  width,
  height,
  page_width: page.width,
  page_height: page.height,
});
const aspect = 1.6;

describe('cropAround', () => {
  it.each([
    ['top left', box(0, 0, 40, 12)],
    ['bottom right', box(540, 825, 50, 14)],
    ['a wide table', box(30, 300, 535, 120)],
    ['a tall column', box(60, 90, 120, 600)],
    ['nearly all', box(10, 10, 570, 820)],
  ])('HoldsTheRegionWhole: %s', (_name, region) => {
    const crop = cropAround([region], page, aspect);
    expect(crop.x).toBeLessThanOrEqual(region.x);
    expect(crop.y).toBeLessThanOrEqual(region.y);
    expect(crop.x + crop.width).toBeGreaterThanOrEqual(region.x + region.width);
    expect(crop.y + crop.height).toBeGreaterThanOrEqual(region.y + region.height);
    expect(crop.width / crop.height).toBeCloseTo(aspect, 5);
  });

  it('StaysOnThePageWhereItFits', () => {
    const crop = cropAround([box(0, 0, 40, 12)], page, aspect);
    expect(crop).toMatchObject({ x: 0, y: 0 });
  });

  it('ShowsTheWholePageCentredWithoutARegion', () => {
    const crop = cropAround([], page, aspect);
    expect(crop.height).toBe(842);
    expect(crop.x).toBeCloseTo((595 - 842 * 1.6) / 2, 5);
  });

  it('ShowsTheWholeOfAWidePage', () => {
    const crop = cropAround([], { width: 1600, height: 400 }, aspect);
    expect(crop.width).toBeCloseTo(1600, 5);
    expect(crop.y).toBeCloseTo(-300, 5);
  });
});

describe('isWholePage', () => {
  it('ComparesShapesNotSizes', () => {
    expect(isWholePage({ width: 1190, height: 1684 }, page)).toBe(true);
    expect(isWholePage({ width: 800, height: 300 }, page)).toBe(false);
    expect(isWholePage({ width: 0, height: 0 }, page)).toBe(false);
  });
});
