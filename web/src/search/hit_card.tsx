import { documentHref, pageHref, type Ask } from '../address';
import { pageImageUrl, previewUrl } from '../api/client';
import { isPageLocator, isTimeLocator, type Hit } from '../api/types';
import { languageName, timeCode } from '../i18n/format';
import { language, t } from '../i18n/i18n';
import { titleOf } from '../library/documents';
import { Link } from '../router';
import { CopyLink } from '../ui/copy_link';
import { PageCrop } from '../ui/evidence';
import { Icon } from '../ui/icons';
import { boxesOf, momentsOf, reasonsOf, type HitGroup } from './group';
import { kindIcon, locatorText } from './locator_text';
import { MomentFrame, MomentStrip } from './moment';
import { likeKey } from './picture';
import { Snippet } from './snippet';
import { Why } from './why';

/** Width ÷ height of the evidence window; the style sheet says the same. */
const evidenceAspect = 16 / 10;

/** Address of the view that shows a hit. */
export function hitHref(hit: Hit, ask: Ask): string {
  const { locator } = hit;
  if (isTimeLocator(locator)) {
    return documentHref(hit.document_id, locator.start_ms / 1000, ask, hit.unit_id);
  }
  if (isPageLocator(locator) && hit.document_kind !== 'image') {
    return pageHref(hit.document_id, locator.page, ask, hit.unit_id);
  }
  return documentHref(hit.document_id, null, ask, hit.unit_id);
}

/** Whether the language of a hit is worth saying: a known one that the page is not in. */
function isForeign(tag: string): boolean {
  return tag !== language() && (tag === 'zh' || tag === 'en');
}

/** The image that shows a hit, or null where there is none. */
export function evidenceUrl(hit: Hit): string | null {
  if (hit.preview_url) return hit.preview_url;
  if (hit.preview_id) return previewUrl(hit.preview_id);
  if (isPageLocator(hit.locator)) return pageImageUrl(hit.document_id, hit.locator.page);
  return null;
}

interface HitCardProps {
  group: HitGroup;
  ask: Ask;
  index: number;
  onAsk: (change: Partial<Ask>) => void;
}

export function HitCard({ group, ask, index, onAsk }: HitCardProps) {
  const { lead, hits } = group;
  const title = titleOf(lead);
  const href = hitHref(lead, ask);
  const moments = momentsOf(hits);
  const durationMs = isTimeLocator(lead.locator) ? lead.locator.duration_ms : null;
  return (
    <li class={moments.length > 0 ? 'hit hit-moment' : 'hit'} data-unit={lead.unit_id} data-kind={lead.kind}>
      <div class="hit-evidence">
        <Evidence group={group} href={href} title={title} />
        {durationMs ? <MomentStrip moments={moments} durationMs={durationMs} /> : null}
      </div>
      <div class="hit-text">
        <h2 class="hit-title">
          <Link href={href} id={`hit-${index}`} class="hit-link">
            {title}
          </Link>
        </h2>
        <p class="hit-where">
          <Icon name={kindIcon(lead)} size={16} />
          <span>{locatorText(lead)}</span>
          {lead.language && isForeign(lead.language) && (
            <span class="hit-language">{languageName(lead.language)}</span>
          )}
        </p>
        {lead.snippet.trim() !== '' && (
          <p class="hit-snippet">
            <Snippet text={lead.snippet} highlights={lead.highlights} language={lead.language} />
          </p>
        )}
        {moments.length > 1 && <OtherMoments group={group} ask={ask} />}
        <div class="hit-foot">
          <Why reasons={reasonsOf(hits)} />
          <span class="hit-actions">
            {lead.preview_id && (
              <button
                type="button"
                class="icon-button"
                aria-label={t('hit.more_like', { title })}
                title={t('hit.more_like_short')}
                onClick={() => onAsk({ picture: likeKey(lead.preview_id!), query: '' })}
              >
                <Icon name="like" />
              </button>
            )}
            <CopyLink href={() => href} label={t('action.copy_link')} />
          </span>
        </div>
      </div>
    </li>
  );
}

function Evidence({ group, href, title }: { group: HitGroup; href: string; title: string }) {
  const { lead, hits } = group;
  const src = evidenceUrl(lead);
  if (isTimeLocator(lead.locator)) {
    return <MomentFrame hit={lead} at={lead.locator} title={title} src={src} />;
  }
  // The title is the link for keyboards and screen readers; the picture is one more place to press.
  return (
    <Link href={href} class="hit-picture" tabIndex={-1} aria-hidden="true">
      {src ? (
        <PageCrop src={src} alt="" boxes={boxesOf(hits)} aspect={evidenceAspect} />
      ) : (
        <span class="hit-words">{lead.snippet.slice(0, 180)}</span>
      )}
    </Link>
  );
}

function OtherMoments({ group, ask }: { group: HitGroup; ask: Ask }) {
  const moments = momentsOf(group.hits);
  return (
    <ul class="moments" aria-label={t('hit.moments')}>
      {moments.slice(0, 8).map(({ hit, at }) => (
        <li key={hit.unit_id}>
          <Link href={hitHref(hit, ask)} class={hit === group.lead ? 'moment moment-lead' : 'moment'}>
            {timeCode(at.start_ms)}
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** What a card looks like before it is there. */
export function HitSkeleton() {
  return (
    <li class="hit hit-skeleton" aria-hidden="true">
      <div class="hit-evidence">
        <span class="bone bone-picture" />
      </div>
      <div class="hit-text">
        <span class="bone bone-title" />
        <span class="bone bone-where" />
        <span class="bone bone-line" />
        <span class="bone bone-line bone-short" />
      </div>
    </li>
  );
}
