import type { SourceDocument } from './types';

export interface DocumentEvents {
  /** A document was added or changed. */
  onDocument: (document: SourceDocument) => void;
  /** Something may have changed: read the list again (called while no event stream is open). */
  onPoll: () => void;
  /** Whether events arrive by themselves. */
  onLive: (live: boolean) => void;
}

const pollIntervalMs = 2500;

/**
 * Follows document changes by server-sent events, and asks every few seconds while the stream is
 * down. Returns a function that ends it.
 */
export function followDocuments(handlers: DocumentEvents): () => void {
  let timer = 0;
  const startPolling = () => {
    handlers.onLive(false);
    if (timer === 0) timer = window.setInterval(handlers.onPoll, pollIntervalMs);
  };
  const stopPolling = () => {
    window.clearInterval(timer);
    timer = 0;
  };
  if (typeof EventSource === 'undefined') {
    startPolling();
    return stopPolling;
  }
  let source: EventSource | null = null;
  let reopen = 0;
  let missed = false;
  const open = () => {
    source = new EventSource('/v1/events');
    source.addEventListener('open', () => {
      stopPolling();
      handlers.onLive(true);
      // What changed while nobody listened.
      if (missed) handlers.onPoll();
      missed = false;
    });
    source.addEventListener('document', (event) => {
      handlers.onDocument(JSON.parse((event as MessageEvent<string>).data) as SourceDocument);
    });
    source.addEventListener('error', () => {
      missed = true;
      startPolling();
      // After an answer that is not a stream the browser gives up: try again, slowly.
      if (source?.readyState === EventSource.CLOSED) {
        window.clearTimeout(reopen);
        reopen = window.setTimeout(open, 10_000);
      }
    });
  };
  open();
  return () => {
    window.clearTimeout(reopen);
    stopPolling();
    source?.close();
  };
}
