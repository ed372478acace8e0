// Files on their way to the server: two at a time, in the order in which they were dropped.
import { useEffect, useState } from 'preact/hooks';
import { ApiError, asApiError, isAbort } from '../api/errors';
import { uploadFile } from '../api/upload';
import { noteDocument } from './documents';

export type UploadState = 'waiting' | 'sending' | 'done' | 'existed' | 'failed' | 'cancelled';

export interface Upload {
  key: number;
  file: File;
  tags: string[];
  state: UploadState;
  sentBytes: number;
  error: ApiError | null;
  documentId: string | null;
}

const atOnce = 2;
let uploads: Upload[] = [];
let nextKey = 1;
const controllers = new Map<number, AbortController>();
const listeners = new Set<() => void>();

function change(key: number, part: Partial<Upload>): void {
  uploads = uploads.map((upload) => (upload.key === key ? { ...upload, ...part } : upload));
  for (const listener of listeners) listener();
}

async function send(upload: Upload): Promise<void> {
  const controller = new AbortController();
  controllers.set(upload.key, controller);
  change(upload.key, { state: 'sending', sentBytes: 0, error: null });
  try {
    const onProgress = (sentBytes: number) => change(upload.key, { sentBytes });
    const result = await uploadFile(upload.file, upload.tags, onProgress, controller.signal);
    noteDocument(result.document);
    change(upload.key, {
      state: result.existed ? 'existed' : 'done',
      sentBytes: upload.file.size,
      documentId: result.document.id,
    });
  } catch (error) {
    if (isAbort(error)) change(upload.key, { state: 'cancelled' });
    else change(upload.key, { state: 'failed', error: asApiError(error) });
  } finally {
    controllers.delete(upload.key);
    startNext();
  }
}

function startNext(): void {
  while (controllers.size < atOnce) {
    const waiting = uploads.find(({ state }) => state === 'waiting');
    if (!waiting) return;
    void send(waiting);
  }
}

export function addUploads(files: readonly File[], tags: string[]): void {
  const added = files.map((file): Upload => {
    const key = nextKey;
    nextKey += 1;
    return { key, file, tags, state: 'waiting', sentBytes: 0, error: null, documentId: null };
  });
  uploads = [...uploads, ...added];
  startNext();
  for (const listener of listeners) listener();
}

export function retryUpload(key: number): void {
  change(key, { state: 'waiting', error: null });
  startNext();
}

export function cancelUpload(key: number): void {
  const controller = controllers.get(key);
  if (controller) controller.abort();
  else change(key, { state: 'cancelled' });
}

/** Forgets the uploads that have ended. */
export function clearUploads(): void {
  uploads = uploads.filter(({ state }) => state === 'waiting' || state === 'sending');
  for (const listener of listeners) listener();
}

export function useUploads(): Upload[] {
  const [, redraw] = useState(0);
  useEffect(() => {
    const listener = () => redraw((count) => count + 1);
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  }, []);
  return uploads;
}
