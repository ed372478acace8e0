// The address bar is the state: every view can be written as a path and read back from it.

/** What is shown of the kinds of units. */
export type KindChoice = 'page' | 'image' | 'moment' | 'text';
export const kindChoices: readonly KindChoice[] = ['page', 'image', 'moment', 'text'];

/** A question with its filters. */
export interface Ask {
  query: string;
  /** `like:PREVIEW_ID`, or the key of a picture kept in this browser; null without a picture. */
  picture: string | null;
  kind: KindChoice | null;
  documents: string[];
  tags: string[];
  languages: string[];
  /** How many hits are asked for. */
  top: number;
}

export const defaultTop = 20;
export const topSteps: readonly number[] = [20, 50, 100, 200];

export type View =
  | { name: 'search'; ask: Ask }
  | { name: 'page'; id: string; page: number; unit: string | null; ask: Ask }
  | { name: 'document'; id: string; timeS: number | null; unit: string | null; ask: Ask }
  | { name: 'library'; state: string | null; text: string; tag: string | null }
  | { name: 'system' }
  | { name: 'unknown'; path: string };

export const emptyAsk: Ask = {
  query: '',
  picture: null,
  kind: null,
  documents: [],
  tags: [],
  languages: [],
  top: defaultTop,
};

/** Whether there is anything to search for. */
export function isAsked(ask: Ask): boolean {
  return ask.query.trim() !== '' || ask.picture !== null;
}

export function hasFilters(ask: Ask): boolean {
  return (
    ask.kind !== null ||
    ask.documents.length > 0 ||
    ask.tags.length > 0 ||
    ask.languages.length > 0
  );
}

function readAsk(params: URLSearchParams): Ask {
  const kind = params.get('kind');
  const top = Number(params.get('n'));
  return {
    query: params.get('q') ?? '',
    picture: params.get('img'),
    kind: kindChoices.find((choice) => choice === kind) ?? null,
    documents: params.getAll('doc'),
    tags: params.getAll('tag'),
    languages: params.getAll('lang'),
    top: topSteps.includes(top) ? top : defaultTop,
  };
}

function writeAsk(ask: Ask, params: URLSearchParams): void {
  if (ask.query !== '') params.set('q', ask.query);
  if (ask.picture !== null) params.set('img', ask.picture);
  if (ask.kind !== null) params.set('kind', ask.kind);
  for (const id of ask.documents) params.append('doc', id);
  for (const tag of ask.tags) params.append('tag', tag);
  for (const tag of ask.languages) params.append('lang', tag);
  if (ask.top !== defaultTop) params.set('n', String(ask.top));
}

function finish(path: string, params: URLSearchParams): string {
  const query = params.toString();
  return query === '' ? path : `${path}?${query}`;
}

export function searchHref(ask: Ask): string {
  const params = new URLSearchParams();
  writeAsk(ask, params);
  return finish('/', params);
}

/** Address of a page; `unit` is the hit whose regions are framed. */
export function pageHref(id: string, page: number, ask: Ask, unit: string | null = null): string {
  const params = new URLSearchParams();
  if (unit !== null) params.set('u', unit);
  writeAsk(ask, params);
  return finish(`/d/${encodeURIComponent(id)}/p/${page}`, params);
}

/** Address of a document without pages: a moment of a video, or a picture. */
export function documentHref(
  id: string,
  timeS: number | null,
  ask: Ask,
  unit: string | null = null,
): string {
  const params = new URLSearchParams();
  if (timeS !== null) params.set('t', String(Math.round(timeS * 1000) / 1000));
  if (unit !== null) params.set('u', unit);
  writeAsk(ask, params);
  return finish(`/d/${encodeURIComponent(id)}`, params);
}

export function libraryHref(state: string | null, text: string, tag: string | null): string {
  const params = new URLSearchParams();
  if (state !== null) params.set('state', state);
  if (text !== '') params.set('text', text);
  if (tag !== null) params.set('tag', tag);
  return finish('/library', params);
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** The view that a path and query name. */
export function readView(pathname: string, queryString: string): View {
  const params = new URLSearchParams(queryString);
  const path = pathname.replace(/\/+$/, '') || '/';
  if (path === '/') return { name: 'search', ask: readAsk(params) };
  if (path === '/library') {
    return {
      name: 'library',
      state: params.get('state'),
      text: params.get('text') ?? '',
      tag: params.get('tag'),
    };
  }
  if (path === '/system') return { name: 'system' };
  const page = /^\/d\/([^/]+)\/p\/(\d{1,6})$/.exec(path);
  if (page?.[1] && page[2] && Number(page[2]) > 0) {
    return {
      name: 'page',
      id: decodeSegment(page[1]),
      page: Number(page[2]),
      unit: params.get('u'),
      ask: readAsk(params),
    };
  }
  const whole = /^\/d\/([^/]+)$/.exec(path);
  if (whole?.[1]) {
    const time = params.get('t');
    const timeS = time === null ? Number.NaN : Number(time);
    return {
      name: 'document',
      id: decodeSegment(whole[1]),
      timeS: Number.isFinite(timeS) && timeS >= 0 ? timeS : null,
      unit: params.get('u'),
      ask: readAsk(params),
    };
  }
  return { name: 'unknown', path: pathname };
}
