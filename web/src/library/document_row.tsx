import { libraryHref } from '../address';
import { previewUrl } from '../api/client';
import type { SourceDocument } from '../api/types';
import { bytes, date } from '../i18n/format';
import { t, tMaybe } from '../i18n/i18n';
import { Link } from '../router';
import { documentViewHref } from '../search/query_field';
import { Icon, type IconName } from '../ui/icons';
import { titleOf } from './documents';
import { lengthText, progressText, shareDone } from './progress';

const kindIcons: Record<string, IconName> = {
  pdf: 'page',
  image: 'picture',
  video: 'film',
  audio: 'speech',
  text: 'text',
};

interface DocumentRowProps {
  document: SourceDocument;
  selected: boolean;
  busy: boolean;
  onSelect: (selected: boolean) => void;
  onRetry: () => void;
  onDelete: () => void;
}

export function DocumentRow(props: DocumentRowProps) {
  const { document, selected, busy, onSelect, onRetry, onDelete } = props;
  const title = titleOf(document);
  const kind = document.kind ?? '';
  return (
    <li class={`row row-${document.state}`} data-id={document.id} data-state={document.state}>
      <input
        type="checkbox"
        class="row-check"
        aria-label={t('library.select', { title })}
        checked={selected}
        onChange={(event) => onSelect(event.currentTarget.checked)}
      />
      <Thumb document={document} />
      <div class="row-main">
        <h2 class="row-title">
          {document.state === 'ready' ? (
            <Link href={documentViewHref(document)}>{title}</Link>
          ) : (
            <span>{title}</span>
          )}
        </h2>
        <p class="row-facts">
          {[
            tMaybe(`document.${kind}`) ?? document.media_type ?? '',
            lengthText(document),
            bytes(document.size_bytes),
            title === document.filename ? '' : document.filename,
          ]
            .filter((fact) => fact !== '')
            .map((fact) => (
              <span key={fact}>{fact}</span>
            ))}
          {document.tags.map((tag) => (
            <Link key={tag} class="tag" href={libraryHref(null, '', tag)}>
              {tag}
            </Link>
          ))}
        </p>
        {document.state === 'failed' && <Reason document={document} todo={todoOf(document)} />}
        {document.state === 'queued' && document.reason && (
          <Reason document={document} todo={t('todo.postponed')} />
        )}
        {document.state === 'ready' &&
          document.warnings.map((warning) => (
            <p class="row-warning" key={warning}>
              <Icon name="warn" size={14} />
              {warning}
            </p>
          ))}
      </div>
      <RowState document={document} />
      <time class="row-date" dateTime={document.created_at} title={document.created_at}>
        {date(document.created_at)}
      </time>
      <div class="row-actions">
        <button
          type="button"
          class="icon-button"
          disabled={document.state !== 'failed' || busy}
          aria-label={t('library.retry', { title })}
          title={t('action.retry')}
          onClick={onRetry}
        >
          <Icon name="retry" />
        </button>
        <button
          type="button"
          class="icon-button"
          disabled={busy}
          aria-label={t('library.delete', { title })}
          title={t('action.delete')}
          onClick={onDelete}
        >
          <Icon name="trash" />
        </button>
      </div>
    </li>
  );
}

function Thumb({ document }: { document: SourceDocument }) {
  return (
    <span class="row-thumb">
      {document.preview_id ? (
        <img src={previewUrl(document.preview_id)} alt="" loading="lazy" decoding="async" />
      ) : (
        <Icon name={kindIcons[document.kind ?? ''] ?? 'page'} size={20} />
      )}
    </span>
  );
}

/** What can be done about a document that failed. */
function todoOf({ reason_code: code }: SourceDocument): string {
  return (code ? tMaybe(`todo.${code}`) : null) ?? t('todo.any');
}

/** Why it failed or was postponed, and what comes next. */
function Reason({ document, todo }: { document: SourceDocument; todo: string }) {
  const known = document.reason_code ? tMaybe(`reason.${document.reason_code}`) : null;
  return (
    <div class="row-reason">
      <p>
        <strong>{known ?? document.reason ?? t('reason.unknown')}</strong> {todo}
      </p>
      <p class="row-reason-detail">
        {known && document.reason ? <span>{document.reason}</span> : null}
        {document.reason_code && <code>{document.reason_code}</code>}
      </p>
    </div>
  );
}

function RowState({ document }: { document: SourceDocument }) {
  const share = shareDone(document.progress);
  const working = document.state === 'processing';
  return (
    <div class="row-state">
      <span class={`state state-${document.state}`}>{t(`state.${document.state}`)}</span>
      {working && (
        <>
          <progress
            class="bar"
            aria-label={t('library.progress', { title: titleOf(document) })}
            {...(share === null ? {} : { value: share, max: 1 })}
          />
          <span class="row-progress number">{progressText(document.progress)}</span>
        </>
      )}
    </div>
  );
}
