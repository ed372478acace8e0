import type { Box } from '../api/types';

/** Part of a page in points. It may reach over the page's edge where the page is narrower. */
export interface Crop {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A crop never shows less than this part of the page's width, so that text keeps its context. */
const minWidthShare = 0.62;
const margin = 0.06;

/**
 * The part of a page to show in a window of the given aspect (width ÷ height) so that the best
 * region is inside with some context around; the whole page where there is no region.
 */
export function cropAround(
  boxes: readonly Box[],
  page: { width: number; height: number },
  aspect: number,
): Crop {
  const best = boxes[0];
  if (!best) return wholePage(page, aspect);
  const padding = margin * page.width;
  let width = Math.max(best.width + 2 * padding, minWidthShare * page.width);
  width = Math.max(width, (best.height + 2 * padding) * aspect);
  const height = width / aspect;
  if (height >= page.height) return wholePage(page, aspect);
  return {
    x: place(best.x + best.width / 2, width, page.width),
    y: place(best.y + best.height / 2, height, page.height),
    width,
    height,
  };
}

function wholePage(page: { width: number; height: number }, aspect: number): Crop {
  const height = Math.max(page.height, page.width / aspect);
  const width = height * aspect;
  return { x: (page.width - width) / 2, y: (page.height - height) / 2, width, height };
}

/** Start of a span of `length` around `centre`, kept on the page, or centred where it is longer. */
function place(centre: number, length: number, whole: number): number {
  if (length >= whole) return (whole - length) / 2;
  return Math.min(Math.max(centre - length / 2, 0), whole - length);
}

/** Whether an image of these pixels can be a picture of the whole page. */
export function isWholePage(
  image: { width: number; height: number },
  page: { width: number; height: number },
): boolean {
  if (image.width <= 0 || image.height <= 0) return false;
  return Math.abs((image.width * page.height) / (image.height * page.width) - 1) < 0.04;
}
