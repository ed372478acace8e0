import { useEffect, useState } from 'preact/hooks';
import { isAsked, defaultTop, type Ask } from '../address';
import { getDocument, listUnits, type UnitQuery } from '../api/client';
import { ApiError, asApiError, isAbort } from '../api/errors';
import type { Hit, SourceDocument, Unit } from '../api/types';
import { likelyCount } from '../search/group';
import { useSearch } from '../search/use_search';

export interface Loaded<T> {
  value: T | null;
  error: ApiError | null;
}

/** Loads again whenever `key` changes; an older answer never replaces a newer one. */
export function useLoaded<T>(key: string, load: (signal: AbortSignal) => Promise<T>): Loaded<T> {
  const [state, setState] = useState<Loaded<T> & { key: string }>({
    key: '',
    value: null,
    error: null,
  });
  useEffect(() => {
    const controller = new AbortController();
    load(controller.signal).then(
      (value) => {
        if (!controller.signal.aborted) setState({ key, value, error: null });
      },
      (error: unknown) => {
        if (isAbort(error) || controller.signal.aborted) return;
        setState({ key, value: null, error: asApiError(error) });
      },
    );
    return () => controller.abort();
  }, [key]);
  return state.key === key ? state : { value: null, error: null };
}

export function useDocument(id: string): Loaded<SourceDocument> {
  return useLoaded(id, (signal) => getDocument(id, signal));
}

export function useUnits(id: string, query: UnitQuery): Loaded<Unit[]> {
  const key = JSON.stringify([id, query]);
  return useLoaded(key, (signal) => listUnits(id, query, signal));
}

/** The likely answers to the question inside one document, and the opened hit in any case. */
export function useDocumentHits(id: string, ask: Ask, unit: string | null = null): Hit[] {
  const inside: Ask = { ...ask, documents: [id], kind: null, tags: [], top: defaultTop };
  const state = useSearch(isAsked(ask) ? inside : { ...inside, query: '', picture: null });
  if (state.status !== 'done') return [];
  const { hits } = state.response;
  const likely = likelyCount(hits.map(({ score }) => score));
  return hits.filter((hit, index) => index < likely || hit.unit_id === unit);
}
