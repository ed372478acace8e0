// One card shows one place: hits of the same page, and neighbouring moments of one video, are one.
import { isPageLocator, isTimeLocator, type Box, type Hit, type TimeLocator } from '../api/types';

/** Moments closer than this are one card. */
export const neighbourMs = 15_000;

export interface HitGroup {
  /** The best hit; the card is about it. */
  lead: Hit;
  /** All hits of the card, best first. */
  hits: Hit[];
}

export interface Moment {
  hit: Hit;
  at: TimeLocator;
}

function isNeighbour(group: HitGroup, hit: Hit): boolean {
  if (group.lead.document_id !== hit.document_id) return false;
  if (isPageLocator(hit.locator)) {
    return isPageLocator(group.lead.locator) && group.lead.locator.page === hit.locator.page;
  }
  const at = hit.locator;
  if (!isTimeLocator(at)) return false;
  return group.hits.some(
    ({ locator }) =>
      isTimeLocator(locator) &&
      at.start_ms - locator.end_ms < neighbourMs &&
      locator.start_ms - at.end_ms < neighbourMs,
  );
}

export function groupHits(hits: readonly Hit[]): HitGroup[] {
  const groups: HitGroup[] = [];
  for (const hit of hits) {
    const group = groups.find((candidate) => isNeighbour(candidate, hit));
    if (group) group.hits.push(hit);
    else groups.push({ lead: hit, hits: [hit] });
  }
  return groups;
}

/** The moments of a card in the order of time. */
export function momentsOf(hits: readonly Hit[]): Moment[] {
  const moments: Moment[] = [];
  for (const hit of hits) {
    if (isTimeLocator(hit.locator)) moments.push({ hit, at: hit.locator });
  }
  return moments.sort((a, b) => a.at.start_ms - b.at.start_ms);
}

/** Regions of a card, best first, each once. */
export function boxesOf(hits: readonly Hit[]): Box[] {
  const seen = new Set<string>();
  const boxes: Box[] = [];
  for (const hit of hits) {
    const own = isPageLocator(hit.locator) && hit.locator.box ? [hit.locator.box] : [];
    const list = hit.boxes && hit.boxes.length > 0 ? hit.boxes : own;
    for (const box of list) {
      const key = [box.x, box.y, box.width, box.height].map((side) => side.toFixed(1)).join();
      if (seen.has(key) || coversPage(box)) continue;
      seen.add(key);
      boxes.push(box);
    }
  }
  return boxes;
}

/** A box around the whole page frames nothing. */
function coversPage(box: Box): boolean {
  return box.width * box.height > 0.92 * box.page_width * box.page_height;
}

/** Why the card was found, in the order of the hits. */
export function reasonsOf(hits: readonly Hit[]): string[] {
  return [...new Set(hits.flatMap((hit) => hit.reasons ?? []))];
}

/** A score is how sure the server is, from 0 to 1; below this nothing is called an answer. */
const minSure = 0.1;
/** Nor is what is much less sure than the best. */
const minShareOfBest = 0.35;

/** How many of the hits, which come best first, are likely answers. */
export function likelyCount(scores: readonly number[]): number {
  const limit = Math.max(minSure, (scores[0] ?? 0) * minShareOfBest);
  const end = scores.findIndex((score) => score < limit);
  return end < 0 ? scores.length : end;
}
