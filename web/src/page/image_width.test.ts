import { describe, expect, it } from 'vitest';
import { imageWidthFor, isSoft } from './image_width';

describe('imageWidthFor', () => {
  it('FitsDevicePixels', () => {
    expect(imageWidthFor(900, 1)).toBe(1200);
    expect(imageWidthFor(900, 2)).toBe(2000);
    expect(imageWidthFor(800, 2)).toBe(1600);
    expect(imageWidthFor(100.5, 1.25)).toBe(400);
  });

  it('StopsAtTheLargestThatTheServerDraws', () => {
    expect(imageWidthFor(900 * 4, 3)).toBe(3000);
  });
});

describe('isSoft', () => {
  it('AsksOnlyForWhatWouldShowMore', () => {
    expect(isSoft(905, 900, 1)).toBe(false);
    expect(isSoft(905, 905.4, 1)).toBe(false);
    expect(isSoft(905, 900, 2)).toBe(true);
    expect(isSoft(0, 900, 2)).toBe(false);
  });
});
