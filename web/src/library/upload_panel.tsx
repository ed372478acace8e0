import { bytes } from '../i18n/format';
import { t, tMaybe } from '../i18n/i18n';
import { Icon } from '../ui/icons';
import { cancelUpload, clearUploads, retryUpload, useUploads, type Upload } from './uploads';

/** Files on their way, shown wherever the person is until they are put away. */
export function UploadPanel() {
  const uploads = useUploads();
  if (uploads.length === 0) return null;
  const open = uploads.filter(({ state }) => state === 'waiting' || state === 'sending');
  const failed = uploads.filter(({ state }) => state === 'failed').length;
  const done = uploads.length - open.length;
  return (
    <aside class="uploads" aria-label={t('upload.label')}>
      <header class="uploads-head">
        <span role="status">
          {open.length > 0
            ? t('upload.sending', { done, count: uploads.length })
            : failed > 0
              ? t('upload.some_failed', { count: failed })
              : t('upload.all_done', { count: uploads.length })}
        </span>
        <button
          type="button"
          class="icon-button"
          aria-label={t('upload.clear')}
          title={t('upload.clear')}
          onClick={clearUploads}
        >
          <Icon name="close" />
        </button>
      </header>
      <ul class="uploads-list" tabIndex={0} aria-label={t('upload.files')}>
        {[...uploads].sort(byAttention).slice(0, 200).map((upload) => (
          <UploadRow key={upload.key} upload={upload} />
        ))}
      </ul>
    </aside>
  );
}

function byAttention(a: Upload, b: Upload): number {
  const order = { failed: 0, sending: 1, waiting: 2, existed: 3, done: 4, cancelled: 5 } as const;
  return order[a.state] - order[b.state] || a.key - b.key;
}

function UploadRow({ upload }: { upload: Upload }) {
  const { file, state, sentBytes, error } = upload;
  const running = state === 'sending' || state === 'waiting';
  const reason = error ? (tMaybe(`error.${error.code}`) ?? error.message) : '';
  return (
    <li class="upload" data-state={state}>
      <span class="upload-name">{file.name}</span>
      <span class="upload-state number">
        {state === 'sending'
          ? t('upload.bytes', { done: bytes(sentBytes), total: bytes(file.size) })
          : t(`upload.${state}`)}
      </span>
      {state === 'sending' && (
        <progress class="bar" aria-label={file.name} value={sentBytes} max={Math.max(1, file.size)} />
      )}
      {state === 'failed' && (
        <span class="upload-reason">
          {reason} <code>{error?.code}</code>
        </span>
      )}
      {running && (
        <button type="button" class="text-button" onClick={() => cancelUpload(upload.key)}>
          {t('action.cancel')}
        </button>
      )}
      {state === 'failed' && (
        <button type="button" class="text-button" onClick={() => retryUpload(upload.key)}>
          {t('action.try_again')}
        </button>
      )}
    </li>
  );
}
