// A document whose view depends on what it is: a video, a picture, a text, or pages.
import { useEffect, useState } from 'preact/hooks';
import { documentHref, pageHref, type Ask } from '../address';
import { contentUrl, pageImageUrl, previewUrl } from '../api/client';
import type { SourceDocument } from '../api/types';
import { t } from '../i18n/i18n';
import { titleOf } from '../library/documents';
import { goBack, navigate } from '../router';
import { boxesOf } from '../search/group';
import { imageWidthFor } from '../page/image_width';
import { Snippet } from '../search/snippet';
import { useHotkeys, isTyping } from '../ui/hotkeys';
import { Frames } from '../ui/evidence';
import { ErrorNote } from '../ui/notes';
import { VideoView } from '../video/video_view';
import { useDocument, useDocumentHits, useUnits } from './use_document';
import { backHref, ViewBar } from './view_bar';

interface DocumentViewProps {
  id: string;
  timeS: number | null;
  unit: string | null;
  ask: Ask;
}

export function DocumentView({ id, timeS, unit, ask }: DocumentViewProps) {
  const { value: document_, error } = useDocument(id);
  const kind = document_?.kind ?? null;
  useEffect(() => {
    if (kind === 'pdf') navigate(pageHref(id, 1, ask, unit), 'replace');
    if (document_) document.title = t('app.title_of', { part: titleOf(document_) });
  }, [document_]);
  if (error) {
    return (
      <main class="view view-error" id="main">
        <ErrorNote error={error} />
      </main>
    );
  }
  if (!document_ || kind === 'pdf') return <main class="view" id="main" aria-busy="true" />;
  if (kind === 'video' || kind === 'audio') {
    return <VideoView key={id} document={document_} timeS={timeS} unit={unit} ask={ask} />;
  }
  if (kind === 'image') return <PictureView document={document_} ask={ask} />;
  return <TextView document={document_} unit={unit} ask={ask} />;
}

function useEscape(ask: Ask): void {
  useHotkeys((key, event) => {
    if (key === 'Escape' && !isTyping(event.target)) goBack(backHref(ask));
  });
}

/**
 * Where a picture can be read from, best first: not every browser shows every format, so others
 * come drawn by the server as large as the screen is.
 */
function pictureSources(document_: SourceDocument): string[] {
  const shown = /^image\/(jpeg|png|webp|gif|avif|bmp)$/.test(document_.media_type ?? '');
  const preview = document_.preview_id ? [previewUrl(document_.preview_id)] : [];
  const screenWidth = imageWidthFor(window.screen.width, window.devicePixelRatio);
  const whole = shown ? contentUrl(document_.id) : pageImageUrl(document_.id, 1, screenWidth);
  return [whole, ...preview];
}

function PictureView({ document: document_, ask }: { document: SourceDocument; ask: Ask }) {
  const title = titleOf(document_);
  const sources = pictureSources(document_);
  const [source, setSource] = useState(0);
  const boxes = boxesOf(useDocumentHits(document_.id, ask));
  const { value: units } = useUnits(document_.id, {});
  const words = (units ?? []).filter(({ kind, text }) => kind === 'image' && text.trim() !== '');
  useEscape(ask);
  const box = boxes[0];
  return (
    <main class="view" id="main">
      <ViewBar title={title} id={document_.id} ask={ask} link={() => documentHref(document_.id, null, ask)} />
      <div class={words.length > 0 ? 'view-body view-body-words' : 'view-body'}>
        <div class="stage stage-picture" tabIndex={0} role="region" aria-label={title}>
          <div class="picture-sheet">
            {source < sources.length ? (
              <img src={sources[source]} alt={title} onError={() => setSource(source + 1)} />
            ) : (
              <p class="sheet-failed">{t('page.no_image')}</p>
            )}
            {box && <Frames page={{ width: box.page_width, height: box.page_height }} boxes={boxes} />}
          </div>
        </div>
        {words.length > 0 && (
          <aside class="words" tabIndex={0} aria-label={t('view.words')}>
            <h2 class="panel-title">{t('view.words')}</h2>
            {words.map((unit) => (
              <p key={unit.id} lang={unit.language ?? undefined}>
                {unit.text}
              </p>
            ))}
          </aside>
        )}
      </div>
    </main>
  );
}

interface TextViewProps {
  document: SourceDocument;
  unit: string | null;
  ask: Ask;
}

function TextView({ document: document_, unit, ask }: TextViewProps) {
  const title = titleOf(document_);
  const hits = useDocumentHits(document_.id, ask);
  const { value: units, error } = useUnits(document_.id, {});
  useEscape(ask);
  useEffect(() => {
    if (unit) document.getElementById(`unit-${unit}`)?.scrollIntoView({ block: 'center' });
  }, [units, unit]);
  return (
    <main class="view view-text" id="main">
      <ViewBar title={title} id={document_.id} ask={ask} link={() => documentHref(document_.id, null, ask, unit)} />
      {error && <ErrorNote error={error} />}
      <article class="text-body">
        {(units ?? []).map((one) => {
          const hit = hits.find(({ unit_id }) => unit_id === one.id);
          const marked = hit && hit.snippet === one.text ? hit.highlights : [];
          return (
            <p
              key={one.id}
              id={`unit-${one.id}`}
              class={one.id === unit ? 'passage passage-current' : 'passage'}
              lang={one.language ?? undefined}
            >
              <Snippet text={one.text} highlights={marked} language={null} />
            </p>
          );
        })}
      </article>
    </main>
  );
}
