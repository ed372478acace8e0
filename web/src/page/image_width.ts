// At which width a page is asked for: few widths, so that what was drawn serves again.

const widths = [400, 800, 1200, 1600, 2000, 2500, 3000];

/** The least width that is sharp at `cssPixels` on this screen, or the largest that there is. */
export function imageWidthFor(cssPixels: number, pixelRatio: number): number {
  const needed = cssPixels * pixelRatio;
  return widths.find((width) => width >= needed) ?? widths[widths.length - 1] ?? 3000;
}

/** Whether a picture `imagePixels` wide looks soft at `cssPixels`. */
export function isSoft(imagePixels: number, cssPixels: number, pixelRatio: number): boolean {
  return imagePixels > 0 && imagePixels < Math.floor(cssPixels * pixelRatio);
}
