// Requests to the server. Every function rejects with ApiError, or with the AbortError of its signal.
import { ApiError, errorFromAnswer, isAbort } from './errors';
import type {
  DocumentList,
  Model,
  SearchRequest,
  SearchResponse,
  SourceDocument,
  SystemInfo,
  Unit,
  UnitList,
} from './types';

async function request(path: string, init: RequestInit = {}): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, init);
  } catch (error) {
    if (isAbort(error)) throw error;
    throw new ApiError(0, 'unreachable', '');
  }
  if (!response.ok) {
    const body = await response.text();
    throw errorFromAnswer(response.status, body, (name) => response.headers.get(name));
  }
  return response;
}

async function requestJson<T>(path: string, init: RequestInit = {}): Promise<T> {
  const response = await request(path, init);
  try {
    return (await response.json()) as T;
  } catch (error) {
    if (isAbort(error)) throw error;
    throw new ApiError(response.status, 'bad_answer', '', response.headers.get('x-request-id'));
  }
}

function withSignal(signal?: AbortSignal): RequestInit {
  return signal ? { signal } : {};
}

export function search(body: SearchRequest, signal?: AbortSignal): Promise<SearchResponse> {
  return requestJson('/v1/search', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...withSignal(signal),
  });
}

export interface DocumentQuery {
  state?: string;
  tag?: string;
  kind?: string;
  cursor?: string;
  limit?: number;
}

export function listDocuments(query: DocumentQuery, signal?: AbortSignal): Promise<DocumentList> {
  const params = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') params.set(key, String(value));
  }
  return requestJson(`/v1/documents?${params}`, withSignal(signal));
}

export function getDocument(id: string, signal?: AbortSignal): Promise<SourceDocument> {
  return requestJson(`/v1/documents/${encodeURIComponent(id)}`, withSignal(signal));
}

export async function deleteDocument(id: string): Promise<void> {
  await request(`/v1/documents/${encodeURIComponent(id)}`, { method: 'DELETE' });
}

export async function retryDocument(id: string): Promise<SourceDocument> {
  const path = `/v1/documents/${encodeURIComponent(id)}/retry`;
  const answer = await requestJson<SourceDocument | { document: SourceDocument }>(path, {
    method: 'POST',
  });
  return 'document' in answer ? answer.document : answer;
}

export interface UnitQuery {
  page?: number;
  from_ms?: number;
  to_ms?: number;
}

export async function listUnits(
  id: string,
  query: UnitQuery,
  signal?: AbortSignal,
): Promise<Unit[]> {
  const params = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (value !== undefined) params.set(key, String(value));
  }
  const all: Unit[] = [];
  for (;;) {
    const path = `/v1/documents/${encodeURIComponent(id)}/units?${params}`;
    const answer = await requestJson<UnitList>(path, withSignal(signal));
    all.push(...answer.units);
    if (!answer.next_cursor) return all;
    params.set('cursor', answer.next_cursor);
  }
}

export async function listModels(signal?: AbortSignal): Promise<Model[]> {
  return (await requestJson<{ models: Model[] }>('/v1/models', withSignal(signal))).models;
}

export function getSystem(signal?: AbortSignal): Promise<SystemInfo> {
  return requestJson('/v1/system', withSignal(signal));
}

export async function fetchBlob(path: string, signal?: AbortSignal): Promise<Blob> {
  return (await request(path, withSignal(signal))).blob();
}

/** Address of the document's bytes. */
export function contentUrl(id: string): string {
  return `/v1/documents/${encodeURIComponent(id)}/content`;
}

/** Address of the page's picture: as it was stored, or drawn `width` pixels wide. */
export function pageImageUrl(id: string, page: number, width: number | null = null): string {
  const path = `/v1/documents/${encodeURIComponent(id)}/pages/${page}/image`;
  return width === null ? path : `${path}?width=${width}`;
}

export function previewUrl(previewId: string): string {
  return `/v1/previews/${encodeURIComponent(previewId)}`;
}
