import type { ComponentChildren } from 'preact';
import { searchHref, isAsked, libraryHref, type Ask } from '../address';
import { contentUrl } from '../api/client';
import { t } from '../i18n/i18n';
import { goBack } from '../router';
import { CopyLink } from '../ui/copy_link';
import { Icon } from '../ui/icons';

/** Where «back» leads when the view was opened from a link. */
export function backHref(ask: Ask): string {
  return isAsked(ask) ? searchHref(ask) : libraryHref(null, '', null);
}

interface ViewBarProps {
  title: string;
  id: string;
  ask: Ask;
  link: () => string;
  /** Part of the original to open, such as `#page=4`. */
  fragment?: string;
  children?: ComponentChildren;
}

/** The bar over a document: back, title, the view's own controls, copy link, open original. */
export function ViewBar({ title, id, ask, link, fragment = '', children }: ViewBarProps) {
  return (
    <div class="view-bar">
      <button
        type="button"
        class="icon-button"
        aria-label={t('view.back')}
        title={t('view.back')}
        onClick={() => goBack(backHref(ask))}
      >
        <Icon name="back" />
      </button>
      <h1 class="view-title" title={title}>
        {title}
      </h1>
      <div class="view-controls">{children}</div>
      <div class="view-links">
        <CopyLink href={link} label={t('action.copy_link')} />
        <a
          class="icon-button"
          href={contentUrl(id) + fragment}
          target="_blank"
          rel="noopener"
          aria-label={t('view.open_original')}
          title={t('view.open_original')}
        >
          <Icon name="open" />
        </a>
      </div>
    </div>
  );
}
