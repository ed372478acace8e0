export interface Piece {
  text: string;
  marked: boolean;
}

/**
 * Cuts a snippet at its highlights, which are `[start, end)` ranges of code points (not UTF-16
 * units: an emoji or a rare Chinese character is one). Ranges may overlap or lie outside.
 */
export function cutAtHighlights(snippet: string, ranges: readonly [number, number][]): Piece[] {
  const points = Array.from(snippet);
  const sorted = ranges
    .map(([start, end]): [number, number] => [Math.max(0, start), Math.min(points.length, end)])
    .filter(([start, end]) => end > start)
    .sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const pieces: Piece[] = [];
  const push = (start: number, end: number, marked: boolean) => {
    if (end > start) pieces.push({ text: points.slice(start, end).join(''), marked });
  };
  let at = 0;
  for (let index = 0; index < sorted.length; ) {
    const [start, firstEnd] = sorted[index]!;
    let end = firstEnd;
    index += 1;
    while (index < sorted.length && sorted[index]![0] <= end) {
      end = Math.max(end, sorted[index]![1]);
      index += 1;
    }
    push(at, start, false);
    push(start, end, true);
    at = end;
  }
  push(at, points.length, false);
  return pieces;
}
