import { afterEach, describe, expect, it, vi } from 'vitest';
import { getDocument, listDocuments, listUnits, pageImageUrl, search } from './client';
import { ApiError } from './errors';

afterEach(() => vi.unstubAllGlobals());

function answer(status: number, body: string, headers: Record<string, string> = {}): void {
  vi.stubGlobal('fetch', vi.fn(async () => new Response(body, { status, headers })));
}

const failure = async (promise: Promise<unknown>) => {
  try {
    await promise;
  } catch (error) {
    return error as ApiError;
  }
  throw new Error('no failure');
};

describe('client', () => {
  it('TellsTheServersCodeRequestAndPause', async () => {
    answer(429, '{"error":{"message":"queue full","code":"overloaded"}}', {
      'x-request-id': 'r1',
      'retry-after': '3',
    });
    const error = await failure(getDocument('a'));
    expect(error).toMatchObject({ status: 429, code: 'overloaded', requestId: 'r1', retryAfterS: 3 });
  });

  it('NamesAnAnswerThatIsNotOurs', async () => {
    answer(502, '<html>proxy</html>');
    expect(await failure(getDocument('a'))).toMatchObject({ status: 502, code: 'http_502' });
    answer(200, 'no json');
    expect(await failure(getDocument('a'))).toMatchObject({ code: 'bad_answer' });
  });

  it('NamesASilentServer', async () => {
    vi.stubGlobal('fetch', vi.fn(async () => Promise.reject(new TypeError('refused'))));
    const body = { query: 'a', image: null, collection: 'default', top_k: 1 };
    expect(await failure(search(body))).toMatchObject({ status: 0, code: 'unreachable' });
  });

  it('ReadsAllUnitsOfADocument', async () => {
    const pages = ['{"units":[{"id":"1"}],"next_cursor":"1"}', '{"units":[{"id":"2"}],"next_cursor":null}'];
    vi.stubGlobal('fetch', vi.fn(async () => new Response(pages.shift())));
    expect((await listUnits('a', { page: 3 })).map(({ id }) => id)).toEqual(['1', '2']);
    expect(fetch).toHaveBeenLastCalledWith('/v1/documents/a/units?page=3&cursor=1', expect.anything());
  });

  it('AsksForAPageAtAWidth', () => {
    expect(pageImageUrl('a', 3)).toBe('/v1/documents/a/pages/3/image');
    expect(pageImageUrl('a', 3, 1600)).toBe('/v1/documents/a/pages/3/image?width=1600');
  });

  it('EscapesIdsAndLeavesEmptyParametersOut', async () => {
    answer(200, '{"documents":[],"next_cursor":null}');
    await listDocuments({ limit: 5, tag: '', cursor: 'a b' });
    expect(fetch).toHaveBeenCalledWith('/v1/documents?limit=5&cursor=a+b', expect.anything());
    answer(200, '{}');
    await getDocument('../x');
    expect(fetch).toHaveBeenCalledWith('/v1/documents/..%2Fx', expect.anything());
  });
});
