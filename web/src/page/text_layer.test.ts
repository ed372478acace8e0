import { describe, expect, it } from 'vitest';
import { layOut } from './text_layer';

const measure = (text: string, fontSize: number) => Array.from(text).length * fontSize * 0.5;
const box = { x: 50, y: 100, width: 400, height: 60, page_width: 595, page_height: 842 };

describe('layOut', () => {
  it('KeepsGivenLinesAndFillsTheBox', () => {
    const lines = layOut('one line\na longer second line\nthird', box, measure);
    expect(lines.map(({ text }) => text)).toEqual(['one line', 'a longer second line', 'third']);
    const widest = lines[1]!;
    expect(measure(widest.text, widest.fontSize) * widest.stretch).toBeCloseTo(400, 6);
    for (const line of lines) {
      expect(line.y).toBeGreaterThanOrEqual(box.y);
      expect(line.y + line.fontSize).toBeLessThanOrEqual(box.y + box.height + 1e-9);
    }
  });

  it('BreaksLongTextIntoAsManyLinesAsTheBoxHolds', () => {
    const text = '酸液溅到皮肤时立即用大量清水冲洗'.repeat(6);
    const lines = layOut(text, box, measure);
    expect(lines.length).toBeGreaterThan(1);
    expect(lines.map((line) => line.text).join('')).toBe(text);
  });

  it('MakesNothingOfNothing', () => {
    expect(layOut(' \n ', box, measure)).toEqual([]);
  });
});
