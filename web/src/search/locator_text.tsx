import { isPageLocator, isTimeLocator, type Hit } from '../api/types';
import { timeCode, timeRange } from '../i18n/format';
import { t } from '../i18n/i18n';
import type { IconName } from '../ui/icons';

/** Where a hit is, in words: «page iv (4 of 62)», «12:07–12:31 of 42:10». */
export function locatorText(hit: Hit): string {
  const { locator } = hit;
  if (isPageLocator(locator)) {
    if (hit.document_kind === 'image') return t('hit.picture');
    const { page, page_count: count, page_label: label } = locator;
    if (label && label !== String(page)) {
      return count
        ? t('hit.page_label_of', { label, page, total: count })
        : t('hit.page_label', { label, page });
    }
    return count ? t('hit.page_of', { page, total: count }) : t('hit.page', { page });
  }
  if (isTimeLocator(locator)) {
    const range = timeRange(locator.start_ms, locator.end_ms);
    return locator.duration_ms
      ? t('hit.time_of', { range, total: timeCode(locator.duration_ms) })
      : range;
  }
  return hit.document_kind === 'image' ? t('hit.picture') : t('hit.text');
}

export function kindIcon(hit: Hit): IconName {
  if (isTimeLocator(hit.locator)) return hit.document_kind === 'audio' ? 'speech' : 'film';
  if (hit.document_kind === 'image') return 'picture';
  return isPageLocator(hit.locator) ? 'page' : 'text';
}
