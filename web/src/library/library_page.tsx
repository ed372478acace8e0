import { useEffect, useRef, useState } from 'preact/hooks';
import { libraryHref } from '../address';
import { deleteDocument, retryDocument } from '../api/client';
import { ApiError, asApiError } from '../api/errors';
import type { DocumentState, SourceDocument } from '../api/types';
import { bytes } from '../i18n/format';
import { t } from '../i18n/i18n';
import { navigate } from '../router';
import { Dialog } from '../ui/dialog';
import { Icon } from '../ui/icons';
import { EmptyNote, ErrorNote } from '../ui/notes';
import { DocumentRow } from './document_row';
import { noteDeleted, noteDocument, titleOf, useDocuments } from './documents';
import { byAttention } from './progress';
import { addUploads } from './uploads';

const states: readonly DocumentState[] = ['ready', 'processing', 'queued', 'failed'];
const shownAtOnce = 200;

interface LibraryPageProps {
  state: string | null;
  text: string;
  tag: string | null;
}

export function LibraryPage({ state, text, tag }: LibraryPageProps) {
  const { documents, loadedAt, error, live, cut } = useDocuments(true);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [asking, setAsking] = useState<SourceDocument[] | null>(null);
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set());
  const [actionError, setActionError] = useState<ApiError | null>(null);
  const [limit, setLimit] = useState(shownAtOnce);
  useEffect(() => {
    document.title = t('app.title_of', { part: t('nav.library') });
  }, []);

  const wanted = text.trim().toLowerCase();
  const fits = (one: SourceDocument) =>
    (tag === null || one.tags.includes(tag)) &&
    `${titleOf(one)} ${one.filename}`.toLowerCase().includes(wanted);
  const inScope = documents.filter(fits);
  const shown = byAttention(inScope.filter((one) => state === null || one.state === state));
  const chosen = shown.filter(({ id }) => selected.has(id));

  const act = async (list: readonly SourceDocument[], one: (id: string) => Promise<void>) => {
    setActionError(null);
    setBusy(new Set(list.map(({ id }) => id)));
    try {
      for (const { id } of list) await one(id);
      setSelected(new Set());
    } catch (failure) {
      setActionError(asApiError(failure));
    } finally {
      setBusy(new Set());
    }
  };
  const retry = (list: readonly SourceDocument[]) =>
    act(list, async (id) => noteDocument(await retryDocument(id)));
  const remove = (list: readonly SourceDocument[]) =>
    act(list, async (id) => {
      await deleteDocument(id);
      noteDeleted(id);
    });
  const select = (id: string, on: boolean) => {
    const next = new Set(selected);
    if (on) next.add(id);
    else next.delete(id);
    setSelected(next);
  };
  return (
    <main class="library" id="main">
      <LibraryHead />
      {documents.length > 0 && (
        <LibraryFilters state={state} text={text} tag={tag} documents={inScope} />
      )}
      {error && <ErrorNote error={error} />}
      {actionError && <ErrorNote error={actionError} />}
      {loadedAt !== null && documents.length === 0 && (
        <EmptyNote icon="folder" title={t('library.empty')}>
          <p>{t('library.empty_hint')}</p>
        </EmptyNote>
      )}
      {documents.length > 0 && (
        <BulkBar
          shown={shown}
          chosen={chosen}
          onAll={(on) => setSelected(new Set(on ? shown.map(({ id }) => id) : []))}
          onRetry={() => void retry(chosen.filter((one) => one.state === 'failed'))}
          onDelete={() => setAsking(chosen)}
          note={cut ? t('library.cut', { count: documents.length }) : live ? '' : t('library.polling')}
        />
      )}
      <ul class="rows" aria-label={t('nav.library')}>
        {shown.slice(0, limit).map((document) => (
          <DocumentRow
            key={document.id}
            document={document}
            selected={selected.has(document.id)}
            busy={busy.has(document.id)}
            onSelect={(on) => select(document.id, on)}
            onRetry={() => void retry([document])}
            onDelete={() => setAsking([document])}
          />
        ))}
      </ul>
      {documents.length > 0 && shown.length === 0 && <p class="rows-none">{t('library.none_match')}</p>}
      {shown.length > limit && (
        <div class="more">
          <button type="button" class="button" onClick={() => setLimit(limit + shownAtOnce)}>
            {t('library.more', { count: shown.length - limit })}
          </button>
        </div>
      )}
      {asking && (
        <DeleteDialog
          documents={asking}
          onClose={() => setAsking(null)}
          onDelete={() => {
            setAsking(null);
            void remove(asking);
          }}
        />
      )}
    </main>
  );
}

/** Adding files: by drop, from a dialog, a whole folder, each with tags. */
function LibraryHead() {
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const [tags, setTags] = useState('');
  const add = (list: FileList | null) => {
    const names = tags.split(/[,，、]/).map((tag) => tag.trim());
    addUploads(Array.from(list ?? []), [...new Set(names.filter((tag) => tag !== ''))]);
  };
  return (
    <header class="library-head">
      <div>
        <h1>{t('nav.library')}</h1>
        <p class="library-hint">{t('library.hint')}</p>
      </div>
      <div class="library-add">
        <input
          type="text"
          class="input library-tags"
          aria-label={t('library.tags')}
          placeholder={t('library.tags')}
          value={tags}
          onInput={(event) => setTags(event.currentTarget.value)}
        />
        <button type="button" class="button" onClick={() => folder.current?.click()}>
          <Icon name="folder" size={16} />
          {t('library.add_folder')}
        </button>
        <button type="button" class="button button-primary" onClick={() => files.current?.click()}>
          <Icon name="upload" size={16} />
          {t('library.add_files')}
        </button>
        <input
          ref={files}
          id="add-files"
          type="file"
          multiple
          hidden
          onChange={(event) => {
            add(event.currentTarget.files);
            event.currentTarget.value = '';
          }}
        />
        <input
          ref={(element) => {
            folder.current = element;
            element?.setAttribute('webkitdirectory', '');
          }}
          id="add-folder"
          type="file"
          multiple
          hidden
          onChange={(event) => {
            add(event.currentTarget.files);
            event.currentTarget.value = '';
          }}
        />
      </div>
    </header>
  );
}

interface LibraryFiltersProps extends LibraryPageProps {
  documents: readonly SourceDocument[];
}

function LibraryFilters({ state, text, tag, documents }: LibraryFiltersProps) {
  const go = (next: Partial<LibraryPageProps>) => {
    const { state: s, text: x, tag: g } = { state, text, tag, ...next };
    navigate(libraryHref(s, x, g), 'replace');
  };
  const all: (DocumentState | null)[] = [null, ...states];
  return (
    <div class="filters" role="group" aria-label={t('filter.label')}>
      <div class="segments" role="group" aria-label={t('library.states')}>
        {all.map((one) => {
          const count = documents.filter((document) => one === null || document.state === one).length;
          return (
            <button
              key={one ?? 'all'}
              type="button"
              class="segment"
              aria-pressed={state === one}
              onClick={() => go({ state: one })}
            >
              {t(one === null ? 'state.all' : `state.${one}`)}
              <span class="segment-count number">{count}</span>
            </button>
          );
        })}
      </div>
      <input
        type="search"
        class="input library-find"
        placeholder={t('library.find')}
        aria-label={t('library.find')}
        value={text}
        onInput={(event) => go({ text: event.currentTarget.value })}
      />
      {tag !== null && (
        <button type="button" class="chip chip-on" onClick={() => go({ tag: null })}>
          {tag}
          <Icon name="close" size={14} />
        </button>
      )}
    </div>
  );
}

interface BulkBarProps {
  shown: readonly SourceDocument[];
  chosen: readonly SourceDocument[];
  onAll: (on: boolean) => void;
  onRetry: () => void;
  onDelete: () => void;
  note: string;
}

/** Always there, so that choosing the first document does not move the rows. */
function BulkBar({ shown, chosen, onAll, onRetry, onDelete, note }: BulkBarProps) {
  const failed = chosen.filter(({ state }) => state === 'failed').length;
  return (
    <div class="bulk">
      <label class="check">
        <input
          type="checkbox"
          checked={chosen.length > 0 && chosen.length === shown.length}
          onChange={(event) => onAll(event.currentTarget.checked)}
        />
        {chosen.length === 0
          ? t('library.count', { count: shown.length })
          : t('library.chosen', { count: chosen.length })}
      </label>
      <button type="button" class="text-button" disabled={failed === 0} onClick={onRetry}>
        {t('action.retry')}
      </button>
      <button type="button" class="text-button" disabled={chosen.length === 0} onClick={onDelete}>
        {t('action.delete')}
      </button>
      <span class="bulk-note" role="status">
        {note}
      </span>
    </div>
  );
}

interface DeleteDialogProps {
  documents: readonly SourceDocument[];
  onClose: () => void;
  onDelete: () => void;
}

/** Asks once and says what will be gone. */
function DeleteDialog({ documents, onClose, onDelete }: DeleteDialogProps) {
  const size = documents.reduce((sum, document) => sum + document.size_bytes, 0);
  return (
    <Dialog title={t('delete.title', { count: documents.length })} onClose={onClose}>
      <ul class="delete-list">
        {documents.slice(0, 6).map((document) => (
          <li key={document.id}>
            {titleOf(document)}
            {titleOf(document) !== document.filename && (
              <span class="delete-file">{document.filename}</span>
            )}
          </li>
        ))}
        {documents.length > 6 && <li>{t('delete.and_more', { count: documents.length - 6 })}</li>}
      </ul>
      <p>{t('delete.gone', { size: bytes(size) })}</p>
      <div class="dialog-actions">
        <button type="button" class="button" onClick={onClose}>
          {t('action.cancel')}
        </button>
        <button type="button" class="button button-danger" onClick={onDelete}>
          {t('action.delete')}
        </button>
      </div>
    </Dialog>
  );
}
