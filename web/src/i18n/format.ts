import { language, locale, t } from './i18n';

/** Milliseconds as a time code: 0:07, 12:07, 1:02:03. */
export function timeCode(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const two = (value: number) => String(value).padStart(2, '0');
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  const rest = two(seconds % 60);
  return hours > 0 ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
}

/** A time range; the end is rounded up so that it is never equal to the start. */
export function timeRange(startMs: number, endMs: number): string {
  const start = timeCode(startMs);
  const end = timeCode(Math.ceil(endMs / 1000) * 1000);
  return start === end ? start : `${start}–${end}`;
}

/** Bytes in the units people know (powers of 1000). */
export function bytes(size: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let value = size;
  let index = 0;
  while (value >= 1000 && index < units.length - 1) {
    value /= 1000;
    index += 1;
  }
  const digits = index === 0 || value >= 100 ? 0 : 1;
  const number = value.toLocaleString(locale(), { maximumFractionDigits: digits });
  return `${number} ${units[index]}`;
}

/** A duration of work: 38 ms, 1.2 s. */
export function duration(ms: number): string {
  if (ms < 1000) return t('time.ms', { value: ms < 10 ? Math.round(ms * 10) / 10 : Math.round(ms) });
  return t('time.s', { value: Math.round(ms / 100) / 10 });
}

/** A date as people write it, with the time for today. */
export function date(iso: string, now: Date = new Date()): string {
  const when = new Date(iso);
  if (Number.isNaN(when.getTime())) return iso;
  const today = when.toDateString() === now.toDateString();
  const options: Intl.DateTimeFormatOptions = today
    ? { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }
    : { year: 'numeric', month: 'short', day: 'numeric' };
  return new Intl.DateTimeFormat(locale(), options).format(when);
}

/** A language tag in words of the page's language. */
export function languageName(tag: string): string {
  try {
    const names = new Intl.DisplayNames([locale()], { type: 'language' });
    const name = names.of(tag) ?? tag;
    return language() === 'en' ? name.charAt(0).toUpperCase() + name.slice(1) : name;
  } catch {
    return tag;
  }
}
