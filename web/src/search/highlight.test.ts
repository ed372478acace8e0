import { describe, expect, it } from 'vitest';
import { cutAtHighlights } from './highlight';

const marked = (text: string, ranges: [number, number][]) =>
  cutAtHighlights(text, ranges)
    .map(({ text: part, marked: on }) => (on ? `[${part}]` : part))
    .join('');

describe('cutAtHighlights', () => {
  it('CountsCodePointsNotUtf16Units', () => {
    expect(marked('😀😀 pump 泵𠮷', [[3, 7], [9, 10]])).toBe('😀😀 [pump] 泵[𠮷]');
  });

  it('JoinsOverlappingRangesInAnyOrder', () => {
    expect(marked('abcdef', [[3, 5], [1, 4]])).toBe('a[bcde]f');
  });

  it('CutsRangesAtTheEnds', () => {
    expect(marked('abc', [[-2, 1], [2, 99], [5, 3]])).toBe('[a]b[c]');
  });

  it('LeavesTextWithoutRangesWhole', () => {
    expect(cutAtHighlights('水泵', [])).toEqual([{ text: '水泵', marked: false }]);
    expect(cutAtHighlights('', [[0, 3]])).toEqual([]);
  });
});
