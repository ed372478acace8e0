import { ApiError, errorFromAnswer } from './errors';
import type { SourceDocument } from './types';

export interface UploadResult {
  document: SourceDocument;
  /** The same bytes were there already. */
  existed: boolean;
}

/**
 * Sends one file, telling how many bytes have gone. `fetch` cannot tell that, so this is the one
 * place that uses XMLHttpRequest.
 */
export function uploadFile(
  file: File,
  tags: string[],
  onProgress: (sentBytes: number) => void,
  signal: AbortSignal,
): Promise<UploadResult> {
  const params = new URLSearchParams({ filename: file.name, collection: 'default' });
  for (const tag of tags) params.append('tag', tag);
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    signal.addEventListener('abort', abort);
    request.open('POST', `/v1/documents?${params}`);
    request.setRequestHeader('content-type', 'application/octet-stream');
    request.upload.addEventListener('progress', (event) => onProgress(event.loaded));
    request.addEventListener('loadend', () => signal.removeEventListener('abort', abort));
    request.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
    request.addEventListener('error', () => reject(new ApiError(0, 'unreachable', '')));
    request.addEventListener('load', () => {
      if (request.status < 200 || request.status > 299) {
        const header = (name: string) => request.getResponseHeader(name);
        reject(errorFromAnswer(request.status, request.responseText, header));
        return;
      }
      try {
        const body = JSON.parse(request.responseText) as
          | { document: SourceDocument }
          | SourceDocument;
        const document = 'document' in body ? body.document : body;
        resolve({ document, existed: request.status === 200 });
      } catch {
        reject(new ApiError(request.status, 'bad_answer', ''));
      }
    });
    request.send(file);
  });
}
