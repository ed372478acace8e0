import { useEffect, useState } from 'preact/hooks';
import { isAsked, pageHref, type Ask } from '../address';
import { isPageLocator, type Box, type Hit, type Unit } from '../api/types';
import { t } from '../i18n/i18n';
import { titleOf } from '../library/documents';
import { goBack, navigate } from '../router';
import { boxesOf } from '../search/group';
import { useHotkeys, isTyping } from '../ui/hotkeys';
import { Icon } from '../ui/icons';
import { ErrorNote } from '../ui/notes';
import { HitList } from '../view/hit_list';
import { useDocument, useDocumentHits, useUnits } from '../view/use_document';
import { backHref, ViewBar } from '../view/view_bar';
import { PageStage } from './page_stage';

const zoomSteps = [0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4];

function pageOf(hit: Hit): number {
  return isPageLocator(hit.locator) ? hit.locator.page : 0;
}

/** Hits with a page, one a page (the best), in the order of pages. */
export function hitsByPage(hits: readonly Hit[]): Hit[] {
  const best = new Map<number, Hit>();
  for (const hit of hits) {
    const page = pageOf(hit);
    if (page > 0 && !best.has(page)) best.set(page, hit);
  }
  return [...best.values()].sort((a, b) => pageOf(a) - pageOf(b));
}

/** What is framed on a page: the opened hit's regions first, then those of the other hits there. */
export function framedBoxes(
  hits: readonly Hit[],
  units: readonly Unit[],
  page: number,
  unitId: string | null,
): Box[] {
  const here = hits.filter((hit) => pageOf(hit) === page);
  const opened = here.filter((hit) => hit.unit_id === unitId);
  const boxes = boxesOf([...opened, ...here]);
  if (opened.length > 0 || unitId === null) return boxes;
  const unit = units.find(({ id }) => id === unitId);
  const own = unit && unit.kind !== 'page' && isPageLocator(unit.locator) ? unit.locator.box : null;
  return own ? [own, ...boxes] : boxes;
}

interface PageViewProps {
  id: string;
  page: number;
  unit: string | null;
  ask: Ask;
}

export function PageView({ id, page, unit, ask }: PageViewProps) {
  const { value: document_, error } = useDocument(id);
  const { value: units } = useUnits(id, { page });
  const allHits = useDocumentHits(id, ask, unit);
  const hits = hitsByPage(allHits);
  const [zoom, setZoom] = useState(1);
  const count = document_?.page_count ?? null;
  const title = document_ ? titleOf(document_) : '';
  useEffect(() => {
    if (title !== '') document.title = t('app.title_of', { part: `${title} · ${page}` });
  }, [title, page]);

  const toPage = (next: number, nextUnit: string | null = null) => {
    if (next < 1 || (count !== null && next > count) || next === page) return;
    navigate(pageHref(id, next, ask, nextUnit), 'replace');
  };
  const toHit = (step: 1 | -1) => {
    const ahead = step === 1 ? hits : [...hits].reverse();
    const next = ahead.find((hit) => (step === 1 ? pageOf(hit) > page : pageOf(hit) < page));
    if (next) toPage(pageOf(next), next.unit_id);
  };
  const zoomBy = (step: 1 | -1) => {
    const at = zoomSteps.findIndex((value) => value >= zoom);
    setZoom(zoomSteps[Math.min(zoomSteps.length - 1, Math.max(0, at + step))] ?? 1);
  };
  useHotkeys((key, event) => {
    if (isTyping(event.target)) return;
    if (key === 'Escape') goBack(backHref(ask));
    else if (key === 'ArrowLeft' || key === 'PageUp') toPage(page - 1);
    else if (key === 'ArrowRight' || key === 'PageDown') toPage(page + 1);
    else if (key === 'n') toHit(1);
    else if (key === 'p') toHit(-1);
    else if (key === '+' || key === '=') zoomBy(1);
    else if (key === '-') zoomBy(-1);
    else if (key === '0') setZoom(1);
    else return;
    event.preventDefault();
  });
  if (error) {
    return (
      <main class="view view-error" id="main">
        <ErrorNote error={error} />
      </main>
    );
  }
  const boxes = framedBoxes(allHits, units ?? [], page, unit);
  return (
    <main class="view" id="main">
      <ViewBar
        title={title}
        id={id}
        ask={ask}
        link={() => pageHref(id, page, ask, unit)}
        fragment={`#page=${page}`}
      >
        <PageSteps page={page} count={count} onPage={toPage} />
        {isAsked(ask) && <HitSteps hits={hits} page={page} onStep={toHit} />}
        <ZoomSteps zoom={zoom} onStep={zoomBy} onFit={() => setZoom(1)} />
      </ViewBar>
      <div class={hits.length > 0 ? 'view-body view-body-hits' : 'view-body'}>
        {hits.length > 0 && (
          <HitList
            hits={hits}
            ask={ask}
            place={(hit) => t('page.short', { page: pageOf(hit) })}
            isCurrent={(hit) => pageOf(hit) === page}
            onOpen={(hit, event) => {
              event.preventDefault();
              toPage(pageOf(hit), hit.unit_id);
            }}
          />
        )}
        <PageStage
          id={id}
          page={page}
          zoom={zoom}
          boxes={boxes}
          units={units ?? []}
          label={t('page.label', { title, page })}
        />
      </div>
    </main>
  );
}

interface PageStepsProps {
  page: number;
  count: number | null;
  onPage: (page: number) => void;
}

function PageSteps({ page, count, onPage }: PageStepsProps) {
  return (
    <div class="steps" role="group" aria-label={t('page.pages')}>
      <StepButton icon="left" label={t('page.previous')} off={page <= 1} onPress={() => onPage(page - 1)} />
      <input
        class="input steps-input number"
        type="text"
        inputMode="numeric"
        aria-label={t('page.go_to')}
        key={page}
        defaultValue={String(page)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') onPage(Number(event.currentTarget.value) || page);
          if (event.key === 'Escape') event.currentTarget.blur();
        }}
      />
      <span class="steps-of number">{count === null ? '' : t('page.of', { count })}</span>
      <StepButton
        icon="right"
        label={t('page.next')}
        off={count !== null && page >= count}
        onPress={() => onPage(page + 1)}
      />
    </div>
  );
}

interface HitStepsProps {
  hits: readonly Hit[];
  page: number;
  onStep: (step: 1 | -1) => void;
}

function HitSteps({ hits, page, onStep }: HitStepsProps) {
  const at = hits.findIndex((hit) => pageOf(hit) === page);
  return (
    <div class="steps" role="group" aria-label={t('view.hits')}>
      <StepButton
        icon="up"
        label={t('page.previous_hit')}
        off={!hits.some((hit) => pageOf(hit) < page)}
        onPress={() => onStep(-1)}
      />
      <span class="steps-of number">
        {t('page.hit_of', { at: at < 0 ? '–' : at + 1, count: hits.length })}
      </span>
      <StepButton
        icon="down"
        label={t('page.next_hit')}
        off={!hits.some((hit) => pageOf(hit) > page)}
        onPress={() => onStep(1)}
      />
    </div>
  );
}

interface ZoomStepsProps {
  zoom: number;
  onStep: (step: 1 | -1) => void;
  onFit: () => void;
}

function ZoomSteps({ zoom, onStep, onFit }: ZoomStepsProps) {
  return (
    <div class="steps steps-zoom" role="group" aria-label={t('page.zoom')}>
      <StepButton icon="minus" label={t('page.zoom_out')} off={zoom <= 0.5} onPress={() => onStep(-1)} />
      <button type="button" class="text-button number" title={t('page.fit')} onClick={onFit}>
        {Math.round(zoom * 100)} %
      </button>
      <StepButton icon="plus" label={t('page.zoom_in')} off={zoom >= 4} onPress={() => onStep(1)} />
    </div>
  );
}

interface StepButtonProps {
  icon: 'left' | 'right' | 'up' | 'down' | 'plus' | 'minus';
  label: string;
  off: boolean;
  onPress: () => void;
}

function StepButton({ icon, label, off, onPress }: StepButtonProps) {
  return (
    <button
      type="button"
      class="icon-button"
      aria-label={label}
      title={label}
      disabled={off}
      onClick={onPress}
    >
      <Icon name={icon} />
    </button>
  );
}
