import { isTimeLocator, type TimeLocator, type Unit } from '../api/types';

export interface TranscriptLine {
  unit: Unit;
  at: TimeLocator;
}

/** The units with words and a time, in the order of time. */
export function transcriptLines(units: readonly Unit[]): TranscriptLine[] {
  const lines: TranscriptLine[] = [];
  for (const unit of units) {
    if (unit.text.trim() !== '' && isTimeLocator(unit.locator)) {
      lines.push({ unit, at: unit.locator });
    }
  }
  lines.sort((a, b) => a.at.start_ms - b.at.start_ms || a.at.end_ms - b.at.end_ms);
  return withoutRepeats(lines);
}

/** Every key frame carries the text on it: said once for as long as it stands on the screen. */
function withoutRepeats(lines: readonly TranscriptLine[]): TranscriptLine[] {
  let shown: string | null = null;
  return lines.filter(({ unit }) => {
    if (unit.source !== 'on_screen_text') return true;
    const repeated = unit.text === shown;
    shown = unit.text;
    return !repeated;
  });
}

/** Index of the line that is said at a time: the last one begun, or −1 before the first. */
export function lineAt(lines: readonly TranscriptLine[], ms: number): number {
  let low = 0;
  let high = lines.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (lines[middle]!.at.start_ms <= ms) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Code point ranges of a text in a line, ignoring case. */
export function occurrences(line: string, text: string): [number, number][] {
  const wanted = Array.from(text.trim().toLowerCase());
  if (wanted.length === 0) return [];
  const points = Array.from(line, (point) => point.toLowerCase());
  const found: [number, number][] = [];
  for (let at = 0; at + wanted.length <= points.length; at += 1) {
    if (wanted.every((point, index) => points[at + index] === point)) {
      found.push([at, at + wanted.length]);
    }
  }
  return found;
}
