import { afterEach, describe, expect, it, vi } from 'vitest';
import { getDocument, listDocuments, search } from './client';
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

  it('EscapesIdsAndLeavesEmptyParametersOut', async () => {
    answer(200, '{"documents":[],"next_cursor":null}');
    await listDocuments({ limit: 5, tag: '', cursor: 'a b' });
    expect(fetch).toHaveBeenCalledWith('/v1/documents?limit=5&cursor=a+b', expect.anything());
    answer(200, '{}');
    await getDocument('../x');
    expect(fetch).toHaveBeenCalledWith('/v1/documents/..%2Fx', expect.anything());
  });
});
