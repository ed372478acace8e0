// Words of the page. Every text that a person reads comes from en.json or zh.json.
import en from './en.json';
import zh from './zh.json';

export type Language = 'en' | 'zh';
type Key = keyof typeof en;
/** A key of the message files; plural keys are named without `_one` and `_other`. */
export type MessageKey = Key extends infer K
  ? K extends `${infer Stem}_one` | `${infer Stem}_other`
    ? Stem
    : K
  : never;

const messages: Record<Language, Record<string, string>> = { en, zh };
const storageKey = 'sightline.language';
let current: Language = 'en';
const listeners = new Set<() => void>();

/** The language a browser asks for: Chinese where it stands before English, else English. */
export function languageFor(preferred: readonly string[]): Language {
  for (const tag of preferred) {
    const primary = tag.toLowerCase().split('-')[0];
    if (primary === 'zh' || primary === 'en') return primary;
  }
  return 'en';
}

export function language(): Language {
  return current;
}

function apply(next: Language): void {
  current = next;
  document.documentElement.lang = next === 'zh' ? 'zh-CN' : 'en';
  for (const listener of listeners) listener();
}

/** Takes the stored choice, or the browser's language. */
export function initLanguage(): void {
  const stored = localStorage.getItem(storageKey);
  apply(stored === 'zh' || stored === 'en' ? stored : languageFor(navigator.languages));
}

export function setLanguage(next: Language): void {
  localStorage.setItem(storageKey, next);
  apply(next);
}

export function onLanguage(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export type Params = Record<string, string | number>;

/** The text of a key with its `{name}` places filled; `count` chooses the plural form. */
export function t(key: MessageKey, params: Params = {}): string {
  return translate(current, key, params);
}

export function translate(to: Language, key: string, params: Params = {}): string {
  const table = messages[to];
  let text = table[key];
  if (text === undefined) {
    const form = new Intl.PluralRules(to).select(Number(params['count'] ?? 0));
    text = table[`${key}_${form}`] ?? table[`${key}_other`] ?? key;
  }
  return text.replace(/\{(\w+)\}/g, (place, name: string) => {
    const value = params[name];
    if (value === undefined) return place;
    return typeof value === 'number' ? value.toLocaleString(locale(to)) : value;
  });
}

/** The text of a key that comes from the server (a reason, a state), or null where we have none. */
export function tMaybe(key: string, params: Params = {}): string | null {
  return key in messages[current] ? translate(current, key, params) : null;
}

export function locale(of: Language = current): string {
  return of === 'zh' ? 'zh-CN' : 'en';
}
