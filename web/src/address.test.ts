import { describe, expect, it } from 'vitest';
import { documentHref, emptyAsk, libraryHref, pageHref, readView, searchHref, type Ask } from './address';

const read = (href: string) => {
  const url = new URL(href, 'http://localhost');
  return readView(url.pathname, url.search);
};

const full: Ask = {
  query: 'pump & seal / 泵 #1',
  picture: 'like:ab12',
  kind: 'moment',
  documents: ['01A', '01B'],
  tags: ['a,b', '培训'],
  languages: ['zh'],
  top: 50,
};

describe('address', () => {
  it('KeepsTheWholeQuestion', () => {
    expect(read(searchHref(full))).toEqual({ name: 'search', ask: full });
  });

  it('KeepsNothingForAnEmptyQuestion', () => {
    expect(searchHref(emptyAsk)).toBe('/');
  });

  it('KeepsPageUnitAndQuestion', () => {
    const view = read(pageHref('01/X', 4, full, '7:a'));
    expect(view).toEqual({ name: 'page', id: '01/X', page: 4, unit: '7:a', ask: full });
  });

  it('KeepsTheMoment', () => {
    const view = read(documentHref('01X', 727.25, emptyAsk));
    expect(view).toEqual({ name: 'document', id: '01X', timeS: 727.25, unit: null, ask: emptyAsk });
  });

  it.each(['/d/01X?t=-1', '/d/01X?t=abc', '/d/01X?t='])('IgnoresBadTimes %s', (href) => {
    expect(read(href)).toMatchObject({ name: 'document', timeS: href.endsWith('t=') ? 0 : null });
  });

  it.each(['/d/01X/p/0', '/d/01X/p/-2', '/d/01X/p/12345678', '/d', '/other'])(
    'NamesUnknownPaths %s',
    (href) => {
      expect(read(href).name).toBe('unknown');
    },
  );

  it('SurvivesBrokenEscapes', () => {
    expect(readView('/d/%E4%A', '')).toMatchObject({ name: 'document', id: '%E4%A' });
  });

  it('KeepsTheLibraryFilters', () => {
    expect(read(libraryHref('failed', '手册', 'a'))).toEqual({
      name: 'library',
      state: 'failed',
      text: '手册',
      tag: 'a',
    });
  });

  it('TakesOnlyKnownKindsAndSteps', () => {
    expect(read('/?q=a&kind=cheese&n=7')).toMatchObject({ ask: { kind: null, top: 20 } });
  });
});
