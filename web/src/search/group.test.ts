import { describe, expect, it } from 'vitest';
import type { Box, Hit, Locator } from '../api/types';
import { boxesOf, groupHits, likelyCount, momentsOf, reasonsOf } from './group';

let count = 0;
function hit(documentId: string, locator: Locator, more: Partial<Hit> = {}): Hit {
  count += 1;
  return {
    rank: count,
    score: 1,
    document_id: documentId,
    title: null,
    filename: 'f',
    document_kind: 'video',
    kind: 'shot',
    unit_id: `u${count}`,
    locator,
    boxes: [],
    snippet: '',
    highlights: [],
    language: null,
    reasons: [],
    scores: {},
    preview_id: null,
    preview_url: null,
    ...more,
  };
}
const at = (start: number, end: number): Locator => ({ start_ms: start, end_ms: end });
const box = (y: number, height = 20): Box => ({
  x: 10,
  y,
  width: 80,
  height,
  page_width: 100,
  page_height: 200,
});

describe('groupHits', () => {
  it('PutsNeighbouringMomentsOnOneCard', () => {
    const groups = groupHits([
      hit('v', at(60_000, 70_000)),
      hit('v', at(300_000, 310_000)),
      hit('v', at(45_001, 48_000)),
      hit('w', at(61_000, 62_000)),
    ]);
    expect(groups.map(({ hits }) => hits.length)).toEqual([2, 1, 1]);
    expect(momentsOf(groups[0]!.hits).map(({ at: time }) => time.start_ms)).toEqual([45_001, 60_000]);
  });

  it('KeepsMomentsApartThatAreFifteenSecondsApart', () => {
    const groups = groupHits([hit('v', at(60_000, 70_000)), hit('v', at(85_000, 90_000))]);
    expect(groups).toHaveLength(2);
  });

  it('PutsRegionsOfOnePageOnOneCardAndKeepsTheBestInFront', () => {
    const groups = groupHits([
      hit('d', { page: 4 }, { boxes: [box(50)] }),
      hit('d', { page: 5 }, { boxes: [box(10)] }),
      hit('d', { page: 4 }, { boxes: [box(50), box(90)] }),
    ]);
    expect(groups.map(({ hits }) => hits.length)).toEqual([2, 1]);
    expect(boxesOf(groups[0]!.hits).map(({ y }) => y)).toEqual([50, 90]);
  });

  it('FramesNothingWhereTheWholePageIsTheRegion', () => {
    expect(boxesOf([hit('d', { page: 1, box: { ...box(0, 200), x: 0, width: 100 } })])).toEqual([]);
  });

  it('UsesTheLocatorsBoxWhereThereAreNoBoxes', () => {
    expect(boxesOf([hit('d', { page: 1, box: box(30) })])).toHaveLength(1);
  });

  it('NamesEachReasonOnce', () => {
    const hits = [hit('d', {}, { reasons: ['text', 'picture'] }), hit('d', {}, { reasons: ['text'] })];
    expect(reasonsOf(hits)).toEqual(['text', 'picture']);
  });
});

describe('likelyCount', () => {
  it.each([
    [[0.91, 0.88, 0.29, 0.28], 2],
    [[0.06, 0.05], 0],
    [[0.2, 0.15, 0.12], 3],
    [[], 0],
  ])('Of %j', (scores, count) => {
    expect(likelyCount(scores)).toBe(count);
  });
});
