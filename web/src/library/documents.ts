// The documents that the page knows, shared by the library, the filters and the suggestions.
import { useEffect, useState } from 'preact/hooks';
import { listDocuments } from '../api/client';
import { ApiError, asApiError } from '../api/errors';
import { followDocuments } from '../api/events';
import type { SourceDocument } from '../api/types';
import { forgetAnswers } from '../search/use_search';

const pageSize = 200;
/** More than this are found by searching, not by scrolling. */
const maxListed = 2000;

export interface DocumentsState {
  documents: SourceDocument[];
  /** Null until the first answer. */
  loadedAt: number | null;
  error: ApiError | null;
  /** Whether changes arrive by themselves. */
  live: boolean;
  /** There are more on the server than are listed here. */
  cut: boolean;
}

let state: DocumentsState = {
  documents: [],
  loadedAt: null,
  error: null,
  live: true,
  cut: false,
};
const listeners = new Set<() => void>();
let loading: Promise<void> | null = null;
let followers = 0;
let unfollow: (() => void) | null = null;

function set(change: Partial<DocumentsState>): void {
  state = { ...state, ...change };
  for (const listener of listeners) listener();
}

/** Newest first; the id (a ULID) decides where the times are equal. */
function sorted(documents: Iterable<SourceDocument>): SourceDocument[] {
  return [...documents].sort(
    (a, b) => b.created_at.localeCompare(a.created_at) || b.id.localeCompare(a.id),
  );
}

/** Puts one changed document into the list. */
export function noteDocument(document: SourceDocument): void {
  const known = state.documents.find(({ id }) => id === document.id);
  if (known?.state !== document.state) forgetAnswers();
  const rest = state.documents.filter(({ id }) => id !== document.id);
  set({ documents: sorted([document, ...rest]) });
}

export function noteDeleted(id: string): void {
  forgetAnswers();
  set({ documents: state.documents.filter((document) => document.id !== id) });
}

async function readAll(): Promise<void> {
  const found = new Map<string, SourceDocument>();
  let cursor: string | undefined;
  do {
    const query = cursor === undefined ? { limit: pageSize } : { limit: pageSize, cursor };
    const answer = await listDocuments(query);
    for (const document of answer.documents) found.set(document.id, document);
    cursor = answer.next_cursor ?? undefined;
  } while (cursor !== undefined && found.size < maxListed);
  set({
    documents: sorted(found.values()),
    loadedAt: Date.now(),
    error: null,
    cut: cursor !== undefined,
  });
}

/** Reads the list; at most one request runs at a time. */
export function loadDocuments(): Promise<void> {
  loading ??= readAll()
    .catch((error: unknown) => set({ error: asApiError(error) }))
    .finally(() => {
      loading = null;
    });
  return loading;
}

/** The documents, as they are; follows changes while `follow` is true. */
export function useDocuments(follow = false): DocumentsState {
  const [, redraw] = useState(0);
  useEffect(() => {
    const listener = () => redraw((count) => count + 1);
    listeners.add(listener);
    if (follow || state.loadedAt === null) void loadDocuments();
    return () => {
      listeners.delete(listener);
    };
  }, []);
  useEffect(() => {
    if (!follow) return undefined;
    followers += 1;
    if (followers === 1) {
      unfollow = followDocuments({
        onDocument: noteDocument,
        onPoll: () => void loadDocuments(),
        onLive: (live) => set({ live }),
      });
    }
    return () => {
      followers -= 1;
      if (followers === 0) unfollow?.();
    };
  }, [follow]);
  return state;
}

export function titleOf(document: { title: string | null; filename: string }): string {
  return document.title?.trim() || document.filename;
}
