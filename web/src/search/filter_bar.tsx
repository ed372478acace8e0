import { hasFilters, kindChoices, type Ask, type KindChoice } from '../address';
import { languageName } from '../i18n/format';
import { t } from '../i18n/i18n';
import { titleOf, useDocuments } from '../library/documents';
import { Icon } from '../ui/icons';
import { ChoiceList, Menu } from '../ui/menu';

interface FilterBarProps {
  ask: Ask;
  onAsk: (change: Partial<Ask>) => void;
}

/** A count of each value, most frequent first. */
function counted(values: readonly string[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0]));
}

export function FilterBar({ ask, onAsk }: FilterBarProps) {
  const kinds: (KindChoice | null)[] = [null, ...kindChoices];
  return (
    <div class="filters" role="group" aria-label={t('filter.label')}>
      <div class="segments" role="group" aria-label={t('filter.kind')}>
        {kinds.map((kind) => (
          <button
            key={kind ?? 'all'}
            type="button"
            class="segment"
            aria-pressed={ask.kind === kind}
            onClick={() => onAsk({ kind })}
          >
            {t(`kind.${kind ?? 'all'}`)}
          </button>
        ))}
      </div>
      <DocumentFilter ask={ask} onAsk={onAsk} />
      <TagFilter ask={ask} onAsk={onAsk} />
      <LanguageFilter ask={ask} onAsk={onAsk} />
      {hasFilters(ask) && (
        <button
          type="button"
          class="text-button"
          onClick={() => onAsk({ kind: null, documents: [], tags: [], languages: [] })}
        >
          <Icon name="close" size={14} />
          {t('filter.clear')}
        </button>
      )}
    </div>
  );
}

function DocumentFilter({ ask, onAsk }: FilterBarProps) {
  const { documents } = useDocuments();
  const options = documents
    .filter(({ state }) => state === 'ready')
    .map((document) => ({ value: document.id, label: titleOf(document) }));
  const only = ask.documents.length === 1 ? ask.documents[0] : undefined;
  const chosen =
    ask.documents.length === 0
      ? null
      : (options.find(({ value }) => value === only)?.label ??
        t('filter.documents', { count: ask.documents.length }));
  return (
    <Menu label={t('filter.document')} chosen={chosen}>
      {() => (
        <ChoiceList
          options={options}
          chosen={ask.documents}
          onChange={(list) => onAsk({ documents: list })}
          searchLabel={t('filter.find_document')}
          emptyLabel={t('filter.no_documents')}
        />
      )}
    </Menu>
  );
}

function TagFilter({ ask, onAsk }: FilterBarProps) {
  const { documents } = useDocuments();
  const tags = counted(documents.flatMap((document) => document.tags));
  return (
    <Menu label={t('filter.tag')} chosen={ask.tags.length > 0 ? ask.tags.join(', ') : null}>
      {() => (
        <ChoiceList
          options={tags.map(([tag, count]) => ({ value: tag, label: tag, hint: String(count) }))}
          chosen={ask.tags}
          onChange={(list) => onAsk({ tags: list })}
          searchLabel={t('filter.find_tag')}
          emptyLabel={t('filter.no_tags')}
        />
      )}
    </Menu>
  );
}

function LanguageFilter({ ask, onAsk }: FilterBarProps) {
  const { documents } = useDocuments();
  const found = counted(documents.flatMap(({ language }) => (language && language !== 'und' ? [language] : [])));
  const tags = [...new Set(['zh', 'en', ...found.map(([tag]) => tag)])];
  const names = ask.languages.map(languageName).join(', ');
  return (
    <Menu label={t('filter.language')} chosen={names === '' ? null : names}>
      {() => (
        <ChoiceList
          options={tags.map((tag) => ({ value: tag, label: languageName(tag) }))}
          chosen={ask.languages}
          onChange={(list) => onAsk({ languages: list })}
          searchLabel={t('filter.find_language')}
          emptyLabel=""
        />
      )}
    </Menu>
  );
}
