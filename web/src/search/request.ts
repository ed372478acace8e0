import type { Ask, KindChoice } from '../address';
import type { Condition, SearchRequest } from '../api/types';

/** The conditions that a kind stands for. */
function kindConditions(kind: KindChoice): Condition[] {
  switch (kind) {
    case 'page':
      return [{ key: 'kind', match: { any: ['page', 'region'] } }];
    case 'image':
      return [{ key: 'kind', match: { value: 'image' } }];
    case 'text':
      return [{ key: 'kind', match: { value: 'passage' } }];
    case 'moment':
      // Speech is a passage too; what makes a moment is its time.
      return [
        { key: 'kind', match: { any: ['shot', 'passage'] } },
        { key: 'start_ms', range: { gte: 0 } },
      ];
  }
}

function matchAny(key: string, values: readonly string[]): Condition[] {
  if (values.length === 0) return [];
  if (values.length === 1) return [{ key, match: { value: values[0]! } }];
  return [{ key, match: { any: [...values] } }];
}

/** The request that a question with filters stands for; `image` is base64 without a prefix. */
export function searchRequest(ask: Ask, image: string | null): SearchRequest {
  const must: Condition[] = [
    ...(ask.kind === null ? [] : kindConditions(ask.kind)),
    ...matchAny('document_id', ask.documents),
    ...matchAny('tag', ask.tags),
    ...matchAny('language', ask.languages),
  ];
  return {
    query: ask.query.trim(),
    image,
    collection: 'default',
    top_k: ask.top,
    ...(must.length > 0 ? { filter: { must } } : {}),
  };
}
