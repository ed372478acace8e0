import { describe, expect, it } from 'vitest';
import { emptyAsk } from '../address';
import { searchRequest } from './request';

describe('searchRequest', () => {
  it('SendsNoFilterWithoutOne', () => {
    expect(searchRequest({ ...emptyAsk, query: ' 泵 ' }, null)).toEqual({
      query: '泵',
      image: null,
      collection: 'default',
      top_k: 20,
    });
  });

  it('JoinsFiltersByMust', () => {
    const ask = { ...emptyAsk, query: 'a', tags: ['x'], documents: ['1', '2'], languages: ['zh'] };
    expect(searchRequest(ask, 'QUJD')).toMatchObject({
      image: 'QUJD',
      filter: {
        must: [
          { key: 'document_id', match: { any: ['1', '2'] } },
          { key: 'tag', match: { value: 'x' } },
          { key: 'language', match: { value: 'zh' } },
        ],
      },
    });
  });

  it('TakesSpeechForAMoment', () => {
    const filter = searchRequest({ ...emptyAsk, query: 'a', kind: 'moment' }, null).filter;
    expect(filter?.must).toContainEqual({ key: 'start_ms', range: { gte: 0 } });
  });
});
