// The field: words, a picture, or both. Nothing is asked of the encoders before Enter.
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { pageHref, documentHref, emptyAsk, type Ask } from '../address';
import type { SourceDocument } from '../api/types';
import { t } from '../i18n/i18n';
import { titleOf, useDocuments } from '../library/documents';
import { carriesFiles } from '../library/dropped_files';
import { navigate } from '../router';
import { Icon } from '../ui/icons';
import { forgetQueries, recentQueries } from './recent';
import { QueryPicture } from './query_picture';

interface Suggestion {
  kind: 'recent' | 'document';
  text: string;
  document?: SourceDocument;
}

/** Recent questions and document titles that contain the typed text; no request is made. */
export function suggestions(
  typed: string,
  recent: readonly string[],
  documents: readonly SourceDocument[],
): Suggestion[] {
  const wanted = typed.trim().toLowerCase();
  const queries = recent
    .filter((query) => query.toLowerCase().includes(wanted) && query !== typed)
    .slice(0, 6)
    .map((text): Suggestion => ({ kind: 'recent', text }));
  if (wanted === '') return queries;
  const titles = documents
    .filter((document) => document.state === 'ready')
    .filter((document) => titleOf(document).toLowerCase().includes(wanted))
    .slice(0, 4)
    .map((document): Suggestion => ({ kind: 'document', text: titleOf(document), document }));
  return [...queries, ...titles];
}

export function documentViewHref(document: SourceDocument): string {
  return document.kind === 'pdf'
    ? pageHref(document.id, 1, emptyAsk)
    : documentHref(document.id, null, emptyAsk);
}

interface QueryFieldProps {
  ask: Ask;
  onAsk: (change: Partial<Ask>) => void;
  onPicture: (file: File) => void;
  pictureBusy: boolean;
  /** ↓ in the field with no suggestion open: go to the hits. */
  onLeaveDown: () => void;
}

export function QueryField({ ask, onAsk, onPicture, pictureBusy, onLeaveDown }: QueryFieldProps) {
  const [text, setText] = useState(ask.query);
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const [over, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const file = useRef<HTMLInputElement>(null);
  const listId = useId();
  const { documents } = useDocuments();
  useEffect(() => setText(ask.query), [ask.query]);
  useEffect(() => {
    if (ask.query === '') input.current?.focus({ preventScroll: true });
  }, []);
  const list = open ? suggestions(text, recentQueries(), documents) : [];

  const submit = (query: string) => {
    setOpen(false);
    setActive(-1);
    setText(query);
    onAsk({ query: query.trim() });
  };
  const choose = (suggestion: Suggestion) => {
    if (suggestion.document) navigate(documentViewHref(suggestion.document));
    else submit(suggestion.text);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      const step = event.key === 'ArrowDown' ? 1 : -1;
      if (list.length > 0) {
        event.preventDefault();
        setActive((active + 1 + step + list.length + 1) % (list.length + 1) - 1);
      } else if (step === 1) {
        event.preventDefault();
        event.stopPropagation();
        onLeaveDown();
      }
    } else if (event.key === 'Enter') {
      event.preventDefault();
      const chosen = list[active];
      if (chosen) choose(chosen);
      else submit(text);
    } else if (event.key === 'Escape' && list.length > 0) {
      event.stopPropagation();
      setOpen(false);
      setActive(-1);
    }
  };
  const takeFiles = (files: FileList | undefined): boolean => {
    const picture = Array.from(files ?? []).find(({ type }) => type.startsWith('image/'));
    if (picture) onPicture(picture);
    return picture !== undefined;
  };
  const onDrop = (event: DragEvent) => {
    setOver(false);
    // A picture on the field is a question; other files go on to the library.
    if (takeFiles(event.dataTransfer?.files)) {
      event.preventDefault();
      event.stopPropagation();
    }
  };
  return (
    <form
      class={over ? 'field field-over' : 'field'}
      role="search"
      onSubmit={(event) => event.preventDefault()}
      onDragOver={(event) => {
        if (!carriesFiles(event.dataTransfer)) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={onDrop}
    >
      {ask.picture !== null || pictureBusy ? (
        <QueryPicture picture={ask.picture} onRemove={() => onAsk({ picture: null })} />
      ) : (
        <span class="field-icon">
          <Icon name="search" size={20} />
        </span>
      )}
      <input
        ref={input}
        id="query"
        class="field-input"
        type="text"
        inputMode="search"
        enterkeyhint="search"
        autocomplete="off"
        spellcheck={false}
        maxLength={8192}
        role="combobox"
        aria-expanded={list.length > 0}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={active >= 0 ? `${listId}-${active}` : undefined}
        aria-label={t('search.field')}
        placeholder={ask.picture === null ? t('search.placeholder') : t('search.refine')}
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setOpen(true);
          setActive(-1);
        }}
        onClick={() => setOpen(text === '' || text !== ask.query)}
        onBlur={() => setOpen(false)}
        onKeyDown={onKeyDown}
        onPaste={(event) => {
          if (takeFiles(event.clipboardData?.files)) event.preventDefault();
        }}
      />
      {text !== '' && (
        <button
          type="button"
          class="icon-button"
          aria-label={t('search.clear')}
          title={t('search.clear')}
          onClick={() => {
            setText('');
            onAsk({ query: '' });
            input.current?.focus();
          }}
        >
          <Icon name="close" />
        </button>
      )}
      <button
        type="button"
        class="icon-button"
        aria-label={t('search.by_picture')}
        title={t('search.by_picture')}
        onClick={() => file.current?.click()}
      >
        <Icon name="picture" size={20} />
      </button>
      <input
        ref={file}
        id="query-picture"
        type="file"
        accept="image/*"
        hidden
        onChange={(event) => {
          takeFiles(event.currentTarget.files ?? undefined);
          event.currentTarget.value = '';
        }}
      />
      <button type="button" class="button button-primary field-go" onClick={() => submit(text)}>
        {t('search.go')}
      </button>
      <SuggestionList id={listId} list={list} active={active} onChoose={choose} />
    </form>
  );
}

interface SuggestionListProps {
  id: string;
  list: readonly Suggestion[];
  active: number;
  onChoose: (suggestion: Suggestion) => void;
}

function SuggestionList({ id, list, active, onChoose }: SuggestionListProps) {
  // The field keeps the focus; the list is pointed at (aria-activedescendant) or pressed.
  const keepFocus = (event: Event) => event.preventDefault();
  return (
    <div class="suggestions" hidden={list.length === 0} onMouseDown={keepFocus}>
      <ul id={id} role="listbox" aria-label={t('search.suggestions')}>
        {list.map((suggestion, index) => (
          <li
            key={suggestion.kind + suggestion.text}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === active}
            class={index === active ? 'suggestion suggestion-on' : 'suggestion'}
            onClick={() => onChoose(suggestion)}
          >
            <Icon name={suggestion.kind === 'recent' ? 'clock' : 'page'} size={16} />
            <span class="suggestion-text">{suggestion.text}</span>
            {suggestion.kind === 'document' && (
              <span class="suggestion-kind">{t('search.open_document')}</span>
            )}
          </li>
        ))}
      </ul>
      {list.some(({ kind }) => kind === 'recent') && (
        <button type="button" class="text-button suggestions-forget" onClick={forgetQueries}>
          {t('search.forget_recent')}
        </button>
      )}
    </div>
  );
}
