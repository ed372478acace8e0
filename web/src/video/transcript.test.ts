import { describe, expect, it } from 'vitest';
import type { Unit } from '../api/types';
import { lineAt, occurrences, transcriptLines } from './transcript';

const said = (start: number, text: string): Unit => ({
  id: String(start),
  kind: 'passage',
  text,
  language: null,
  locator: { start_ms: start, end_ms: start + 1000 },
  source: 'speech',
  preview_id: null,
});

describe('transcript', () => {
  const lines = transcriptLines([said(5000, 'b'), said(0, 'a'), said(9000, ' '), said(7000, 'c')]);

  it('IsInTheOrderOfTimeAndHasNoEmptyLines', () => {
    expect(lines.map(({ unit }) => unit.text)).toEqual(['a', 'b', 'c']);
  });

  it('SaysTextThatStaysOnTheScreenOnce', () => {
    const written = (start: number, text: string) => ({ ...said(start, text), source: 'on_screen_text' });
    const units = [written(0, 'Pump'), said(500, 'a'), written(1000, 'Pump'), written(2000, 'Seal'), written(3000, 'Pump')];
    expect(transcriptLines(units).map(({ at }) => at.start_ms)).toEqual([0, 500, 2000, 3000]);
  });

  it.each([
    [-1, -1],
    [0, 0],
    [4999, 0],
    [5000, 1],
    [99_000, 2],
  ])('FindsTheLineAt %d ms', (ms, index) => {
    expect(lineAt(lines, ms)).toBe(index);
  });

  it('FindsWordsIgnoringCaseByCodePoints', () => {
    expect(occurrences('😀 Pump the PUMP', 'pump')).toEqual([[2, 6], [11, 15]]);
    expect(occurrences('拧紧螺栓', '螺栓')).toEqual([[2, 4]]);
    expect(occurrences('abc', ' ')).toEqual([]);
  });
});
