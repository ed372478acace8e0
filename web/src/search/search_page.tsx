import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { emptyAsk, isAsked, libraryHref, searchHref, type Ask } from '../address';
import { ApiError } from '../api/errors';
import { t } from '../i18n/i18n';
import { useDocuments } from '../library/documents';
import { entryState, Link, navigate } from '../router';
import { useHotkeys, isTyping } from '../ui/hotkeys';
import { Icon, Mark } from '../ui/icons';
import { ErrorNote } from '../ui/notes';
import { FilterBar } from './filter_bar';
import { Newest } from './newest';
import { keepPicture, PictureTooLarge } from './picture';
import { QueryField } from './query_field';
import { recentQueries, rememberQuery } from './recent';
import { Results } from './results';
import { useSearch } from './use_search';

function hitLinks(): HTMLElement[] {
  return Array.from(document.querySelectorAll<HTMLElement>('.hit-link'));
}

function focusHit(link: HTMLElement | undefined): void {
  if (!link) return;
  link.focus({ preventScroll: true });
  link.closest('.hit')?.scrollIntoView({ block: 'nearest' });
}

function focusField(): void {
  const field = document.getElementById('query') as HTMLInputElement | null;
  field?.focus({ preventScroll: true });
  field?.select();
  window.scrollTo({ top: 0 });
}

/** ↑↓ over the hits, Esc back to the field. */
function useHitKeys(): void {
  useHotkeys((key, event) => {
    if (isTyping(event.target)) return;
    const links = hitLinks();
    const card = document.activeElement?.closest('.hit');
    const at = links.findIndex((link) => card?.contains(link));
    if (key === 'ArrowDown' || key === 'j') {
      event.preventDefault();
      focusHit(links[Math.min(at + 1, links.length - 1)]);
    } else if (key === 'ArrowUp' || key === 'k') {
      event.preventDefault();
      if (at <= 0) focusField();
      else focusHit(links[at - 1]);
    } else if (key === 'Escape' && at >= 0) {
      focusField();
    }
  });
}

/** Comes back to the place that the person left. */
function useReturn(ready: boolean): void {
  const done = useRef(false);
  useLayoutEffect(() => {
    if (!ready || done.current) return;
    done.current = true;
    const { scrollY, focusId } = entryState();
    if (focusId?.startsWith('hit-')) {
      document.getElementById(focusId)?.focus({ preventScroll: true });
    }
    window.scrollTo({ top: scrollY ?? 0 });
  }, [ready]);
}

export function SearchPage({ ask }: { ask: Ask }) {
  const [attempt, setAttempt] = useState(0);
  const [pictureBusy, setPictureBusy] = useState(false);
  const [pictureError, setPictureError] = useState<ApiError | null>(null);
  const state = useSearch(ask, attempt);
  const asked = isAsked(ask);
  useHitKeys();
  useReturn(!asked || state.status === 'done');
  useEffect(() => {
    rememberQuery(ask.query);
    document.title = ask.query === '' ? t('app.title') : t('app.title_of', { part: ask.query });
  }, [ask.query]);

  const onAsk = (change: Partial<Ask>) => {
    setPictureError(null);
    const next = { ...ask, ...change };
    if (JSON.stringify(next) === JSON.stringify(ask)) setAttempt(attempt + 1);
    else navigate(searchHref(next));
    if ('query' in change || 'picture' in change) window.scrollTo({ top: 0 });
  };
  const onPicture = (file: File) => {
    setPictureError(null);
    setPictureBusy(true);
    keepPicture(file)
      .then((picture) => onAsk({ picture }))
      .catch((error: unknown) => {
        const code = error instanceof PictureTooLarge ? 'picture_too_large' : 'picture_unreadable';
        setPictureError(new ApiError(0, code, ''));
      })
      .finally(() => setPictureBusy(false));
  };
  const field = (
    <QueryField
      ask={ask}
      onAsk={onAsk}
      onPicture={onPicture}
      pictureBusy={pictureBusy}
      onLeaveDown={() => focusHit(hitLinks()[0])}
    />
  );
  return (
    <main class={asked ? 'search search-asked' : 'search search-home'} id="main">
      {!asked && (
        <div class="home-head">
          <h1 class="home-title">
            <Mark size={40} />
            {t('app.name')}
          </h1>
          <p class="home-line">{t('app.line')}</p>
        </div>
      )}
      {asked && <h1 class="offscreen">{t('search.results')}</h1>}
      {field}
      {pictureError && <ErrorNote error={pictureError} />}
      {asked && <FilterBar ask={ask} onAsk={onAsk} />}
      {asked ? (
        <Results ask={ask} state={state} onAsk={onAsk} onRetry={() => setAttempt(attempt + 1)} />
      ) : (
        <Home />
      )}
    </main>
  );
}

/** Under the field before the first question. */
function Home() {
  const { documents, loadedAt, error } = useDocuments();
  const ready = documents.filter(({ state }) => state === 'ready').length;
  const working = documents.filter(({ state }) => state === 'queued' || state === 'processing').length;
  if (loadedAt === null) return error ? <ErrorNote error={error} /> : null;
  if (documents.length === 0) {
    return (
      <section class="home-empty">
        <span class="empty-icon">
          <Icon name="upload" size={28} />
        </span>
        <h2>{t('home.empty')}</h2>
        <p>{t('home.empty_hint')}</p>
        <Link class="button button-primary" href={libraryHref(null, '', null)}>
          {t('home.add')}
        </Link>
      </section>
    );
  }
  const recent = recentQueries().slice(0, 5);
  return (
    <section class="home-below">
      {recent.length > 0 && (
        <ul class="home-recent" aria-label={t('home.recent')}>
          {recent.map((query) => (
            <li key={query}>
              <Link class="chip" href={searchHref({ ...emptyAsk, query })}>
                <Icon name="clock" size={14} />
                <span class="chip-text">{query}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
      <p class="home-status">
        <Link href={libraryHref(null, '', null)}>{t('home.ready', { count: ready })}</Link>
        {working > 0 && (
          <>
            <span class="dot">·</span>
            <Link href={libraryHref(null, '', null)}>{t('home.working', { count: working })}</Link>
          </>
        )}
      </p>
      <Newest documents={documents.filter(({ state }) => state === 'ready').slice(0, 6)} />
      <p class="home-keys">{t('home.keys')}</p>
    </section>
  );
}
