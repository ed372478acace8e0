// The HTTP API (v1) as the page uses it. Field names are the server's, snake_case.

/** A rectangle in points from the top left of its page. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
  page_width: number;
  page_height: number;
}

export type DocumentKind = 'pdf' | 'image' | 'video' | 'audio' | 'text';
export type DocumentState = 'queued' | 'processing' | 'ready' | 'failed';
export type UnitKind = 'page' | 'region' | 'image' | 'shot' | 'passage';

export interface Progress {
  done: number;
  total: number | null;
  unit: 'pages' | 'ms' | string;
}

export interface SourceDocument {
  id: string;
  collection: string;
  title: string | null;
  filename: string;
  media_type: string | null;
  kind: DocumentKind | null;
  state: DocumentState;
  reason: string | null;
  reason_code: string | null;
  size_bytes: number;
  sha256: string;
  page_count: number | null;
  duration_ms: number | null;
  progress: Progress | null;
  tags: string[];
  language: string | null;
  metadata: Record<string, unknown>;
  created_at: string;
  updated_at: string;
  preview_id: string | null;
  warnings: string[];
}

export interface PageLocator {
  page: number;
  page_count?: number | null;
  page_label?: string | null;
  box?: Box | null;
}

export interface TimeLocator {
  start_ms: number;
  end_ms: number;
  key_frame_ms?: number | null;
  duration_ms?: number | null;
}

export type Locator = PageLocator | TimeLocator | Record<string, never>;

export interface Hit {
  rank: number;
  score: number;
  document_id: string;
  title: string | null;
  filename: string;
  document_kind: DocumentKind;
  kind: UnitKind;
  unit_id: string;
  locator: Locator;
  boxes: Box[];
  snippet: string;
  highlights: [number, number][];
  language: string | null;
  reasons: string[];
  scores: Record<string, { rank?: number; score?: number } | null>;
  preview_id: string | null;
  preview_url: string | null;
  width?: number | null;
  height?: number | null;
}

export interface SearchResponse {
  hits: Hit[];
  total_candidates: number;
  took_ms: number;
  timing_ms: Record<string, number>;
  routes: string[];
  /** What was left out of the search, and why. */
  notes?: string[];
  query_language: string | null;
}

export interface Condition {
  key: string;
  match?: { value: string | number } | { any: (string | number)[] };
  range?: { gt?: number; gte?: number; lt?: number; lte?: number };
}

export interface Filter {
  must?: Condition[];
  should?: Condition[];
  must_not?: Condition[];
}

export interface SearchRequest {
  query: string;
  image: string | null;
  collection: string;
  top_k: number;
  filter?: Filter;
}

export interface Unit {
  id: string;
  kind: UnitKind;
  text: string;
  language: string | null;
  locator: Locator;
  source: 'text' | 'ocr' | 'speech' | 'subtitle' | 'on_screen_text' | string;
  preview_id: string | null;
}

export interface UnitList {
  units: Unit[];
  next_cursor?: string | null;
}

export interface DocumentList {
  documents: SourceDocument[];
  next_cursor: string | null;
}

export interface Model {
  name: string;
  kind: string;
  licence: string | null;
  source: string | null;
  digest: string | null;
  state: string;
  dims: number | null;
}

export interface Space {
  name?: string;
  id?: string;
  model?: string;
  dims?: number;
  vectors?: number;
  units?: number;
  [field: string]: unknown;
}

export interface SystemInfo {
  version: string;
  data_dir_bytes: number | null;
  documents: number | Record<string, number> | null;
  units: number | Record<string, number> | null;
  spaces: (Space | string)[];
  queue: { queued: number; running: number; failed: number } | null;
}

/** Whether a locator names a page. */
export function isPageLocator(locator: Locator | null | undefined): locator is PageLocator {
  const page = (locator as PageLocator | null)?.page;
  return typeof page === 'number' && page >= 1;
}

/** Whether a locator names a time range. */
export function isTimeLocator(locator: Locator | null | undefined): locator is TimeLocator {
  return typeof (locator as TimeLocator | null)?.start_ms === 'number';
}
