import { useState } from 'preact/hooks';
import { hasFilters, topSteps, type Ask } from '../address';
import type { SearchResponse } from '../api/types';
import { duration } from '../i18n/format';
import { t, tMaybe, type MessageKey } from '../i18n/i18n';
import { Icon } from '../ui/icons';
import { EmptyNote, ErrorNote } from '../ui/notes';
import { groupHits, likelyCount, type HitGroup } from './group';
import { HitCard, HitSkeleton } from './hit_card';
import type { SearchState } from './use_search';

interface ResultsProps {
  ask: Ask;
  state: SearchState;
  onAsk: (change: Partial<Ask>) => void;
  onRetry: () => void;
}

export function Results({ ask, state, onAsk, onRetry }: ResultsProps) {
  if (state.status === 'error') {
    return (
      <ErrorNote error={state.error} onRetry={onRetry}>
        {ask.picture !== null && (
          <button type="button" class="button" onClick={() => onAsk({ picture: null })}>
            {t('search.remove_picture')}
          </button>
        )}
      </ErrorNote>
    );
  }
  if (state.status !== 'done') {
    return (
      <section aria-busy="true" aria-label={t('search.searching')}>
        <p class="result-line" role="status">
          {t('search.searching')}
        </p>
        <ol class="hits">
          {[0, 1, 2, 3].map((index) => (
            <HitSkeleton key={index} />
          ))}
        </ol>
      </section>
    );
  }
  const { response } = state;
  if (response.hits.length === 0) return <NothingFound ask={ask} onAsk={onAsk} />;
  return <Found ask={ask} response={response} onAsk={onAsk} />;
}

interface FoundProps {
  ask: Ask;
  response: SearchResponse;
  onAsk: (change: Partial<Ask>) => void;
}

function Found({ ask, response, onAsk }: FoundProps) {
  const groups = groupHits(response.hits);
  const documents = new Set(response.hits.map((hit) => hit.document_id)).size;
  const more = topSteps.find((step) => step > ask.top);
  const likely = likelyCount(groups.map(({ lead }) => lead.score));
  const card = (group: HitGroup, index: number) => (
    <HitCard key={group.lead.unit_id} group={group} ask={ask} index={index} onAsk={onAsk} />
  );
  const canHaveMore = response.hits.length >= ask.top && more !== undefined;
  return (
    <section aria-label={t('search.results')}>
      <div class="result-line">
        <span role="status">
          {t('search.count', { count: groups.length })}
          <span class="dot">·</span>
          {t('search.in_documents', { count: documents })}
        </span>
        <Timing response={response} />
      </div>
      {response.notes && response.notes.length > 0 && (
        <p class="result-notes">
          <Icon name="warn" size={14} />
          {t('search.note')}
          <span lang="en">{response.notes.join('; ')}</span>
        </p>
      )}
      {likely > 0 && <ol class="hits">{groups.slice(0, likely).map(card)}</ol>}
      {likely < groups.length && (
        <>
          <p class="less-likely">{t(likely > 0 ? 'search.less_likely' : 'search.none_fits')}</p>
          <ol class="hits">
            {groups.slice(likely).map((group, index) => card(group, index + likely))}
          </ol>
        </>
      )}
      {canHaveMore && (
        <div class="more">
          <button type="button" class="button" onClick={() => onAsk({ top: more })}>
            {t('search.more')}
          </button>
        </div>
      )}
    </section>
  );
}

/** How long the answer took; pressed, what it was spent on. */
function Timing({ response }: { response: SearchResponse }) {
  const [open, setOpen] = useState(false);
  const stages = Object.entries(response.timing_ms ?? {});
  return (
    <span class="timing" onBlur={() => setOpen(false)}>
      <button
        type="button"
        class="text-button timing-button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        {duration(response.took_ms)}
      </button>
      {open && (
        <span class="timing-panel">
          {stages.map(([stage, ms]) => (
            <span key={stage} class="timing-row">
              <span>{tMaybe(`stage.${stage}`) ?? stage}</span>
              <span class="number">{duration(ms)}</span>
            </span>
          ))}
          <span class="timing-row timing-routes">
            <span>{t('search.routes')}</span>
            <span>
              {response.routes.map((route) => tMaybe(`route.${route}`) ?? route).join(t('list.comma'))}
            </span>
          </span>
          <span class="timing-row">
            <span>{t('search.candidates')}</span>
            <span class="number">{response.total_candidates.toLocaleString()}</span>
          </span>
        </span>
      )}
    </span>
  );
}

/** The filters in use, each with the change that drops it; the narrowest first. */
function droppable(ask: Ask): { key: MessageKey; change: Partial<Ask> }[] {
  const list: { key: MessageKey; change: Partial<Ask> }[] = [];
  if (ask.documents.length > 0) list.push({ key: 'filter.drop_document', change: { documents: [] } });
  if (ask.tags.length > 0) list.push({ key: 'filter.drop_tag', change: { tags: [] } });
  if (ask.kind !== null) list.push({ key: 'filter.drop_kind', change: { kind: null } });
  if (ask.languages.length > 0) {
    list.push({ key: 'filter.drop_language', change: { languages: [] } });
  }
  return list;
}

function NothingFound({ ask, onAsk }: Pick<ResultsProps, 'ask' | 'onAsk'>) {
  const drops = droppable(ask);
  return (
    <EmptyNote icon="search" title={t('search.nothing')}>
      <p role="status">
        {ask.query !== '' ? t('search.nothing_for', { query: ask.query }) : t('search.nothing_picture')}
      </p>
      <p>{hasFilters(ask) ? t('search.nothing_filtered') : t('search.nothing_hint')}</p>
      {drops.length > 0 && (
        <div class="empty-actions">
          {drops.map(({ key, change }, index) => (
            <button
              key={key}
              type="button"
              class={index === 0 ? 'button button-primary' : 'button'}
              onClick={() => onAsk(change)}
            >
              {t(key)}
            </button>
          ))}
        </div>
      )}
    </EmptyNote>
  );
}
