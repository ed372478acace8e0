import type { ComponentChildren } from 'preact';
import { ApiError } from '../api/errors';
import { t, tMaybe } from '../i18n/i18n';
import { Icon, type IconName } from './icons';

/** What a person can do about an error code. */
function advice(error: ApiError): string {
  const known = tMaybe(`error.${error.code}`);
  if (known) return known;
  if (error.status === 429) return t('error.too_many_requests');
  if (error.status === 503) return t('error.unavailable');
  if (error.status === 404) return t('error.not_found');
  if (error.status === 413) return t('error.too_large');
  if (error.status >= 500) return t('error.internal');
  return error.message === '' ? t('error.bad_answer') : t('error.other');
}

interface ErrorNoteProps {
  error: ApiError;
  onRetry?: () => void;
  children?: ComponentChildren;
}

/** An error in words: what happened, what to do, and the code to quote. */
export function ErrorNote({ error, onRetry, children }: ErrorNoteProps) {
  return (
    <div class="note note-error" role="alert">
      <Icon name="warn" size={20} />
      <div class="note-body">
        <p class="note-title">{advice(error)}</p>
        {error.message !== '' && <p class="note-detail">{error.message}</p>}
        <p class="note-code">
          <code>{error.code}</code>
          {error.requestId && <span>{t('error.request', { id: error.requestId })}</span>}
          {error.retryAfterS && <span>{t('error.retry_after', { count: error.retryAfterS })}</span>}
        </p>
        {(onRetry || children) && (
          <div class="note-actions">
            {onRetry && (
              <button type="button" class="button" onClick={onRetry}>
                {t('action.try_again')}
              </button>
            )}
            {children}
          </div>
        )}
      </div>
    </div>
  );
}

interface EmptyNoteProps {
  icon: IconName;
  title: string;
  children?: ComponentChildren;
}

export function EmptyNote({ icon, title, children }: EmptyNoteProps) {
  return (
    <div class="empty">
      <span class="empty-icon">
        <Icon name={icon} size={28} />
      </span>
      <h2>{title}</h2>
      {children}
    </div>
  );
}
