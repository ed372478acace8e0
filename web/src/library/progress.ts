import type { Progress, SourceDocument } from '../api/types';
import { timeCode } from '../i18n/format';
import { t } from '../i18n/i18n';

/** Share that is done, 0..1, or null where the whole is not known. */
export function shareDone(progress: Progress | null): number | null {
  if (!progress || progress.total === null || progress.total <= 0) return null;
  return Math.min(1, Math.max(0, progress.done / progress.total));
}

/** Progress in pages or time: «12 of 62 pages», «1:07 of 12:30». */
export function progressText(progress: Progress | null): string {
  if (!progress) return '';
  const { done, total, unit } = progress;
  if (unit === 'ms') {
    if (total === null) return timeCode(done);
    return t('progress.time', { done: timeCode(done), total: timeCode(total) });
  }
  if (unit !== 'pages') return total === null ? String(done) : `${done} / ${total}`;
  return total === null ? t('progress.pages', { count: done }) : t('progress.pages_of', { done, count: total });
}

/** Length of a document in its own measure. */
export function lengthText(document: SourceDocument): string {
  if (document.duration_ms !== null) return timeCode(document.duration_ms);
  if (document.page_count !== null && document.kind === 'pdf') {
    return t('progress.pages', { count: document.page_count });
  }
  return '';
}

/** Failed first, then what is being worked on, then the rest; each newest first. */
export function byAttention(documents: readonly SourceDocument[]): SourceDocument[] {
  const order = { failed: 0, processing: 1, queued: 2, ready: 3 } as const;
  const rank = (document: SourceDocument) => order[document.state] ?? 3;
  return [...documents].sort((a, b) => rank(a) - rank(b));
}
