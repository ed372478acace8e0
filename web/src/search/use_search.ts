import { useEffect, useState } from 'preact/hooks';
import { isAsked, type Ask } from '../address';
import { fetchBlob, previewUrl, search } from '../api/client';
import { ApiError, asApiError, isAbort } from '../api/errors';
import type { SearchResponse } from '../api/types';
import { keptPicture, likedPreview, toBase64 } from './picture';
import { searchRequest } from './request';

export type SearchState =
  | { status: 'idle' }
  | { status: 'loading'; key: string }
  | { status: 'done'; key: string; response: SearchResponse }
  | { status: 'error'; key: string; error: ApiError };

/** Answers of this visit, so that going back shows them at once. */
const answers = new Map<string, SearchResponse>();
const keptAnswers = 24;

export function forgetAnswers(): void {
  answers.clear();
}

function keep(key: string, response: SearchResponse): void {
  answers.delete(key);
  answers.set(key, response);
  if (answers.size > keptAnswers) answers.delete(answers.keys().next().value!);
}

async function pictureOf(key: string, signal: AbortSignal): Promise<string> {
  const liked = likedPreview(key);
  const blob = liked ? await fetchBlob(previewUrl(liked), signal) : await keptPicture(key);
  if (!blob) throw new ApiError(0, 'picture_elsewhere', '');
  return toBase64(blob);
}

/** Asks the server; a new question cancels the one before. `attempt` asks again. */
export function useSearch(ask: Ask, attempt = 0): SearchState {
  const key = isAsked(ask) ? JSON.stringify(ask) : '';
  const [state, setState] = useState<SearchState>({ status: 'idle' });
  useEffect(() => {
    if (key === '' || answers.has(key)) return undefined;
    const controller = new AbortController();
    setState({ status: 'loading', key });
    const run = async () => {
      const image = ask.picture === null ? null : await pictureOf(ask.picture, controller.signal);
      const response = await search(searchRequest(ask, image), controller.signal);
      keep(key, response);
      if (!controller.signal.aborted) setState({ status: 'done', key, response });
    };
    run().catch((error: unknown) => {
      if (isAbort(error) || controller.signal.aborted) return;
      setState({ status: 'error', key, error: asApiError(error) });
    });
    return () => controller.abort();
  }, [key, attempt]);
  if (key === '') return { status: 'idle' };
  const answer = answers.get(key);
  if (answer) return { status: 'done', key, response: answer };
  return state.status === 'error' && state.key === key ? state : { status: 'loading', key };
}
