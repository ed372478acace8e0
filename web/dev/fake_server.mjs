#!/usr/bin/env node
// A stand-in for the server while the page is being developed: the same API over drawn documents.
// It searches by counting words. Never used by the tests of the product.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { drawFrame, drawPage, drawPicture, layOut, pageSize } from './drawn_pages.mjs';
import { fixtures, models } from './fixtures.mjs';

const dist = join(dirname(fileURLToPath(import.meta.url)), '../dist');
const port = Number(process.env.PORT ?? 7801);
const delayMs = Number(process.env.DELAY_MS ?? 60);
const documents = new Map();
const contents = new Map();
const streams = new Set();

function document(fixture) {
  const pages = fixture.pages ?? null;
  return {
    id: fixture.id,
    collection: 'default',
    title: fixture.title,
    filename: fixture.filename,
    media_type: fixture.media_type,
    kind: fixture.kind,
    state: fixture.state ?? 'ready',
    reason: fixture.reason ?? null,
    reason_code: fixture.reason_code ?? null,
    size_bytes: fixture.size_bytes,
    sha256: randomBytes(32).toString('hex'),
    page_count: pages ? pages.length : null,
    duration_ms: fixture.duration_ms ?? null,
    progress: fixture.progress ?? null,
    tags: fixture.tags,
    language: fixture.language,
    metadata: {},
    created_at: fixture.created_at,
    updated_at: fixture.created_at,
    preview_id: fixture.state === 'failed' ? null : `${fixture.id}-1`,
    warnings: fixture.warnings ?? [],
  };
}

for (const fixture of fixtures) documents.set(fixture.id, { fixture, document: document(fixture) });

/** A short film made by ffmpeg where it is installed; without it videos do not play. */
function makeVideo() {
  const file = join(mkdtempSync(join(tmpdir(), 'sightline-dev-')), 'pump.webm');
  const making = spawn('ffmpeg', [
    '-v', 'error', '-f', 'lavfi', '-i', 'testsrc2=size=640x360:rate=12:duration=90',
    '-f', 'lavfi', '-i', 'sine=frequency=220:duration=90', '-c:v', 'libvpx', '-b:v', '220k',
    '-g', '24', '-deadline', 'realtime', '-cpu-used', '8', '-c:a', 'libopus', '-b:a', '24k', file,
  ]);
  return new Promise((resolve) => {
    making.on('error', () => resolve(null));
    making.on('exit', (status) => resolve(status === 0 ? readFileSync(file) : null));
  });
}
const film = makeVideo();

const json = (response, status, body) => {
  response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': randomBytes(6).toString('hex') });
  response.end(body === null ? '' : JSON.stringify(body));
};
const fail = (response, status, code, message) =>
  json(response, status, { error: { message, type: 'invalid_request_error', code, param: null } });

function send(request, response, bytes, type) {
  const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '');
  const headers = { 'content-type': type, 'accept-ranges': 'bytes' };
  if (!range) {
    response.writeHead(200, { ...headers, 'content-length': bytes.length });
    response.end(bytes);
    return;
  }
  const start = Number(range[1]);
  const end = range[2] ? Math.min(Number(range[2]), bytes.length - 1) : bytes.length - 1;
  response.writeHead(206, { ...headers, 'content-length': end - start + 1, 'content-range': `bytes ${start}-${end}/${bytes.length}` });
  response.end(bytes.subarray(start, end + 1));
}

const svg = (request, response, text) => send(request, response, Buffer.from(text), 'image/svg+xml');

function units(entry) {
  const { fixture } = entry;
  if (fixture.pages) {
    return fixture.pages.flatMap((blocks, index) =>
      layOut(blocks).map((block, at) => ({
        id: `${fixture.id}-p${index + 1}-${at}`,
        kind: 'region',
        text: block.lines.length > 0 ? block.lines.join('\n') : block.text,
        language: fixture.language,
        locator: { page: index + 1, page_count: fixture.pages.length, page_label: null, box: block.box },
        source: 'text',
        preview_id: `${fixture.id}-${index + 1}`,
      })),
    );
  }
  if (fixture.said) {
    return fixture.said.map(([start, end, text], index) => ({
      id: `${fixture.id}-s${index}`,
      kind: 'shot',
      text,
      language: /[\u4e00-\u9fff]/.test(text) ? 'zh' : 'en',
      locator: { start_ms: start, end_ms: end, key_frame_ms: start, duration_ms: fixture.duration_ms },
      source: 'speech',
      preview_id: `${fixture.id}-${index + 1}`,
    }));
  }
  if (fixture.words) {
    return [{ id: `${fixture.id}-i`, kind: 'image', text: '', words: fixture.words, language: null, locator: { page: 1, page_count: 1, page_label: null, box: null }, source: 'text', preview_id: `${fixture.id}-1` }];
  }
  return [];
}

const terms = (query) => query.toLowerCase().match(/[a-z0-9]{3,}|[\u4e00-\u9fff]{2}/g) ?? [];

function highlights(text, wanted) {
  const points = [...text.toLowerCase()].join('');
  return wanted.flatMap((term) => {
    const at = points.indexOf(term);
    return at < 0 ? [] : [[at, at + term.length]];
  });
}

function fits(unit, entry, filter) {
  const values = { kind: unit.kind, document_id: entry.document.id, tag: entry.document.tags, language: unit.language, start_ms: unit.locator.start_ms };
  return (filter?.must ?? []).every(({ key, match, range }) => {
    const value = [values[key]].flat();
    if (match) return value.some((one) => ('any' in match ? match.any.includes(one) : one === match.value));
    return value.some((one) => one !== undefined && one >= (range.gte ?? -Infinity));
  });
}

function search(body) {
  const wanted = terms(body.query);
  const found = [];
  for (const entry of documents.values()) {
    if (entry.document.state !== 'ready') continue;
    for (const unit of units(entry)) {
      const text = (unit.words ?? unit.text).toLowerCase();
      const score = wanted.filter((term) => text.includes(term)).length;
      const looks = body.image !== null && unit.kind !== 'region';
      if ((score > 0 || looks) && fits(unit, entry, body.filter)) found.push({ entry, unit, score: score + (looks ? 0.5 : 0) });
    }
  }
  found.sort((a, b) => b.score - a.score);
  const hits = found.slice(0, body.top_k).map(({ entry, unit, score }, index) => ({
    rank: index + 1,
    score,
    document_id: entry.document.id,
    title: entry.document.title,
    filename: entry.document.filename,
    document_kind: entry.document.kind,
    kind: unit.kind,
    unit_id: unit.id,
    locator: unit.locator,
    boxes: unit.locator.box ? [unit.locator.box] : [],
    snippet: unit.text.replace(/\n/g, ' '),
    highlights: highlights(unit.text.replace(/\n/g, ' '), wanted),
    language: unit.language,
    reasons: unit.kind === 'shot' ? ['speech', ...(body.image ? ['picture'] : [])] : unit.kind === 'image' ? ['picture', 'concept'] : ['text'],
    scores: { lexical: { rank: index + 1, score } },
    preview_id: unit.preview_id,
    preview_url: `/v1/previews/${unit.preview_id}`,
    width: 1190,
    height: 1684,
  }));
  return {
    hits,
    total_candidates: found.length,
    took_ms: 37.4,
    timing_ms: { encode: 21.8, candidates: 6.1, fuse: 0.2, rerank: 7.9, evidence: 1.4 },
    routes: ['lexical', 'dense', 'late_interaction'],
    query_language: /[\u4e00-\u9fff]/.test(body.query) ? 'zh' : 'en',
  };
}

function preview(request, response, id) {
  const cut = id.lastIndexOf('-');
  const entry = documents.get(id.slice(0, cut));
  const index = Number(id.slice(cut + 1));
  const { fixture } = entry ?? {};
  if (fixture?.pages?.[index - 1]) svg(request, response, drawPage(fixture.pages[index - 1], index));
  else if (fixture?.said) svg(request, response, drawFrame(fixture.title, index));
  else if (fixture?.kind === 'image' && contents.has(fixture.id)) send(request, response, contents.get(fixture.id), fixture.media_type);
  else if (fixture?.kind === 'image') svg(request, response, drawPicture(200));
  else fail(response, 404, 'not_found', `preview ${id}`);
}

function broadcast(one) {
  one.updated_at = new Date().toISOString();
  for (const stream of streams) stream.write(`event: document\ndata: ${JSON.stringify(one)}\n\n`);
}

const kinds = { '.pdf': ['pdf', 'application/pdf'], '.png': ['image', 'image/png'], '.jpg': ['image', 'image/jpeg'], '.mp4': ['video', 'video/mp4'], '.webm': ['video', 'video/webm'], '.txt': ['text', 'text/plain'] };

function added(filename, bytes, tags) {
  const [kind, mediaType] = kinds[extname(filename).toLowerCase()] ?? ['text', 'text/plain'];
  const base = { pdf: fixtures[1], image: fixtures[3], video: fixtures[2] }[kind];
  const fixture = { ...base, id: `01JE${randomBytes(11).toString('hex').toUpperCase()}`, title: filename.replace(/\.[^.]+$/, ''), filename, kind, media_type: mediaType, tags, size_bytes: bytes.length, created_at: new Date().toISOString(), state: 'queued' };
  const entry = { fixture, document: { ...document(fixture), preview_id: null } };
  documents.set(fixture.id, entry);
  contents.set(fixture.id, bytes);
  const total = entry.document.page_count ?? 20;
  let done = 0;
  const timer = setInterval(() => {
    done += Math.ceil(total / 12);
    const ended = filename.startsWith('broken') ? 'failed' : 'ready';
    entry.document.state = done >= total ? ended : 'processing';
    entry.document.progress = done >= total ? null : { done, total, unit: 'pages' };
    if (done >= total) {
      entry.document.preview_id = ended === 'ready' ? `${fixture.id}-1` : null;
      if (ended === 'failed') Object.assign(entry.document, { reason: 'no page tree', reason_code: 'data_loss' });
      clearInterval(timer);
    }
    broadcast(entry.document);
  }, 250);
  return entry.document;
}

async function documentRoute(request, response, id, rest, query) {
  const entry = documents.get(id);
  if (!entry) return fail(response, 404, 'not_found', `document ${id} is not here`);
  if (rest === '' && request.method === 'DELETE') {
    documents.delete(id);
    return json(response, 204, null);
  }
  if (rest === '') return json(response, 200, entry.document);
  if (rest === '/retry') return json(response, 202, entry.document);
  if (rest === '/units') {
    const page = query.get('page');
    const list = units(entry).filter((unit) => page === null || unit.locator.page === Number(page));
    return json(response, 200, { units: list });
  }
  if (rest === '/content') {
    if (contents.has(id)) return send(request, response, contents.get(id), entry.document.media_type);
    if (entry.document.kind === 'video') {
      const video = await film;
      return video ? send(request, response, video, 'video/webm') : fail(response, 404, 'not_found', 'no ffmpeg');
    }
    return preview(request, response, `${id}-1`);
  }
  const image = /^\/pages\/(\d+)\/image$/.exec(rest);
  if (image) return preview(request, response, `${id}-${image[1]}`);
  return fail(response, 404, 'not_found', rest);
}

const types = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' };

function asset(response, path) {
  const file = join(dist, normalize(path));
  const found = extname(path) !== '' && existsSync(file) && statSync(file).isFile();
  if (!found && extname(path) !== '') return fail(response, 404, 'not_found', path);
  const name = found ? file : join(dist, 'index.html');
  response.writeHead(200, {
    'content-type': types[extname(name)] ?? 'application/octet-stream',
    'content-security-policy': "default-src 'self'; img-src 'self' blob: data:; media-src 'self' blob:; style-src 'self'",
  });
  return response.end(readFileSync(name));
}

async function route(request, response) {
  const url = new URL(request.url, 'http://localhost');
  const path = url.pathname;
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  if (path.startsWith('/health')) return json(response, 200, { status: 'ok' });
  if (!path.startsWith('/v1/')) return asset(response, path);
  if (path === '/v1/events') {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    response.write(': hello\n\n');
    streams.add(response);
    request.on('close', () => streams.delete(response));
    return undefined;
  }
  if (path === '/v1/documents' && request.method === 'POST') {
    const known = [...contents].find(([, bytes]) => bytes.equals(body));
    if (known) return json(response, 200, { document: documents.get(known[0]).document });
    const one = added(url.searchParams.get('filename') ?? 'file', body, url.searchParams.getAll('tag'));
    return json(response, 202, { document: one });
  }
  if (path === '/v1/documents') return json(response, 200, { documents: [...documents.values()].map((entry) => entry.document), next_cursor: null });
  const one = /^\/v1\/documents\/([^/]+)(.*)$/.exec(path);
  if (one) return documentRoute(request, response, one[1], one[2], url.searchParams);
  const blob = /^\/v1\/previews\/(.+)$/.exec(path);
  if (blob) return preview(request, response, blob[1]);
  if (path === '/v1/models') return json(response, 200, { models });
  if (path === '/v1/system') return json(response, 200, { version: '0.1.0-dev', data_dir_bytes: 58_213_992, documents: documents.size, units: 412, spaces: [{ name: 'text-384', model: 'multilingual-e5-small', dims: 384, vectors: 9120 }], queue: { queued: 0, running: 1, failed: 2 } });
  if (path === '/v1/search') {
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    const asked = JSON.parse(body);
    if (asked.query === 'fail') return fail(response, 503, 'overloaded', 'the search pool is full');
    return json(response, 200, search(asked));
  }
  return fail(response, 404, 'not_found', path);
}

createServer((request, response) => {
  route(request, response).catch((error) => {
    console.error(error);
    if (!response.headersSent) fail(response, 500, 'internal', 'see the console of the fake server');
    else response.destroy();
  });
}).listen(port, '127.0.0.1', () => console.log(`fake server on http://127.0.0.1:${port}`));
