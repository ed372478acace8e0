import type { Ask } from '../address';
import type { Hit } from '../api/types';
import { t } from '../i18n/i18n';
import { Link } from '../router';
import { hitHref } from '../search/hit_card';
import { Snippet } from '../search/snippet';

interface HitListProps {
  hits: readonly Hit[];
  ask: Ask;
  /** Short name of the place of a hit. */
  place: (hit: Hit) => string;
  isCurrent: (hit: Hit) => boolean;
  onOpen?: (hit: Hit, event: MouseEvent) => void;
}

/** The hits of the question in this document, in the document's order. */
export function HitList({ hits, ask, place, isCurrent, onOpen }: HitListProps) {
  return (
    <nav class="hit-list" aria-label={t('view.hits')}>
      <h2 class="panel-title">{t('view.hits_for', { count: hits.length })}</h2>
      <ol>
        {hits.map((hit) => (
          <li key={hit.unit_id}>
            <Link
              href={hitHref(hit, ask)}
              class="hit-list-item"
              aria-current={isCurrent(hit) ? 'true' : undefined}
              onClick={(event) => onOpen?.(hit, event)}
            >
              <span class="hit-list-place number">{place(hit)}</span>
              <span class="hit-list-text">
                <Snippet text={hit.snippet} highlights={hit.highlights} language={hit.language} />
              </span>
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  );
}
