import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import en from './en.json';
import zh from './zh.json';
import { languageFor, translate } from './i18n';

const tables: Record<string, Record<string, string>> = { en, zh };
const places = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1]).sort();

function sources(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) return sources(path);
    return /\.tsx?$/.test(name) && !name.includes('.test.') ? [path] : [];
  });
}

describe('messages', () => {
  it('HaveTheSameKeysInBothLanguages', () => {
    expect(Object.keys(zh)).toEqual(Object.keys(en));
  });

  it.each(Object.keys(en))('HaveTheSamePlaces: %s', (key) => {
    expect(places(tables['zh']![key]!)).toEqual(places(tables['en']![key]!));
  });

  it('AreNeverEmpty', () => {
    const empty = Object.values(tables).flatMap((table) => Object.values(table)).filter((text) => text.trim() === '');
    expect(empty).toEqual([]);
  });

  it('AreTheOnlyPlaceOfWordsThatPeopleRead', () => {
    const found = sources(join(process.cwd(), 'src')).flatMap((path) => {
      const code = readFileSync(path, 'utf8');
      const chinese = code.match(/[\u4e00-\u9fff]+/g) ?? [];
      // Words between tags, or given to an attribute that is read out.
      const jsx = path.endsWith('.tsx')
        ? [...code.matchAll(/(?:^|[^=])>\s*([A-Za-z][A-Za-z ,.]{2,})\s*<\//gm)].map((match) => match[1])
        : [];
      const read = [...code.matchAll(/(?:aria-label|title|placeholder|alt)="([^"{]+)"/g)].map((match) => match[1]);
      return [...chinese, ...jsx, ...read].map((text) => `${path}: ${text}`);
    });
    expect(found).toEqual([]);
  });

  it('AreAllUsed', () => {
    const code = sources(join(process.cwd(), 'src')).map((path) => readFileSync(path, 'utf8')).join('\n');
    const unused = Object.keys(en).filter((key) => {
      const stem = key.replace(/_(one|other)$/, '');
      if (code.includes(`'${stem}'`) || code.includes(`'${key}'`)) return false;
      const family = stem.slice(0, stem.indexOf('.') + 1);
      return !code.includes(`\`${family}\${`);
    });
    expect(unused).toEqual([]);
  });
});

describe('translate', () => {
  it('ChoosesThePluralForm', () => {
    expect(translate('en', 'search.count', { count: 1 })).toBe('1 result');
    expect(translate('en', 'search.count', { count: 1200 })).toBe('1,200 results');
    expect(translate('zh', 'search.count', { count: 1 })).toBe('1 条结果');
  });

  it('LeavesUnknownPlacesVisible', () => {
    expect(translate('en', 'hit.page')).toBe('Page {page}');
  });
});

describe('languageFor', () => {
  it.each([
    [['zh-TW', 'en'], 'zh'],
    [['de-DE', 'zh-CN', 'en'], 'zh'],
    [['fr', 'en-GB', 'zh'], 'en'],
    [['ja'], 'en'],
    [[], 'en'],
  ])('FollowsTheBrowser %j', (preferred, expected) => {
    expect(languageFor(preferred)).toBe(expected);
  });
});
