import { previewUrl } from '../api/client';
import type { SourceDocument } from '../api/types';
import { t, tMaybe } from '../i18n/i18n';
import { titleOf } from '../library/documents';
import { lengthText } from '../library/progress';
import { Link } from '../router';
import { documentViewHref } from './query_field';

/** The newest documents that can be searched, as pictures. */
export function Newest({ documents }: { documents: readonly SourceDocument[] }) {
  if (documents.length === 0) return null;
  return (
    <ul class="newest" aria-label={t('home.newest')}>
      {documents.map((document) => (
        <li key={document.id}>
          <Link href={documentViewHref(document)}>
            <span class="newest-picture">
              {document.preview_id && (
                <img src={previewUrl(document.preview_id)} alt="" loading="lazy" decoding="async" />
              )}
            </span>
            <span class="newest-title">{titleOf(document)}</span>
            <span class="newest-facts number">
              {[tMaybe(`document.${document.kind ?? ''}`), lengthText(document)]
                .filter(Boolean)
                .join(' · ')}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
