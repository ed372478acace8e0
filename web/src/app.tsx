// The frame around every view: navigation, language, theme, keys that work everywhere.
import { useEffect, useState } from 'preact/hooks';
import { emptyAsk, libraryHref, searchHref, type View } from './address';
import { language, onLanguage, setLanguage, t } from './i18n/i18n';
import { DropTarget } from './library/drop_target';
import { LibraryPage } from './library/library_page';
import { UploadPanel } from './library/upload_panel';
import { PageView } from './page/page_view';
import { Link, navigate, useView } from './router';
import { SearchPage } from './search/search_page';
import { SystemPage } from './system/system_page';
import { Dialog } from './ui/dialog';
import { isTyping, useHotkeys } from './ui/hotkeys';
import { Icon, Mark } from './ui/icons';
import { EmptyNote } from './ui/notes';
import { setTheme, storedTheme, type Theme } from './ui/theme';
import { DocumentView } from './view/document_view';

export function App() {
  const view = useView();
  const [, redraw] = useState(0);
  const [help, setHelp] = useState(false);
  useEffect(() => {
    const stop = onLanguage(() => redraw((count) => count + 1));
    return () => {
      stop();
    };
  }, []);
  useHotkeys((key, event) => {
    if (isTyping(event.target)) return;
    if (key === '/') {
      event.preventDefault();
      const field = document.getElementById('query') as HTMLInputElement | null;
      if (field) {
        field.focus();
        field.select();
      } else {
        navigate(searchHref('ask' in view ? view.ask : emptyAsk));
        requestAnimationFrame(() => document.getElementById('query')?.focus());
      }
    } else if (key === '?') {
      setHelp(true);
    }
  });
  return (
    <>
      <a class="skip" href="#main">
        {t('nav.skip')}
      </a>
      <Header view={view} onHelp={() => setHelp(true)} />
      <Current view={view} />
      <UploadPanel />
      <DropTarget />
      {help && <Help onClose={() => setHelp(false)} />}
    </>
  );
}

function Current({ view }: { view: View }) {
  switch (view.name) {
    case 'search':
      return <SearchPage ask={view.ask} />;
    case 'page':
      return <PageView key={view.id} id={view.id} page={view.page} unit={view.unit} ask={view.ask} />;
    case 'document':
      return <DocumentView id={view.id} timeS={view.timeS} unit={view.unit} ask={view.ask} />;
    case 'library':
      return <LibraryPage state={view.state} text={view.text} tag={view.tag} />;
    case 'system':
      return <SystemPage />;
    case 'unknown':
      return (
        <main class="search" id="main">
          <EmptyNote icon="search" title={t('unknown.title')}>
            <p>{t('unknown.text', { path: view.path })}</p>
            <Link class="button button-primary" href="/">
              {t('unknown.home')}
            </Link>
          </EmptyNote>
        </main>
      );
  }
}

function Header({ view, onHelp }: { view: View; onHelp: () => void }) {
  const here = (name: View['name']) => (view.name === name ? 'page' : undefined);
  return (
    <header class="top">
      <Link class="brand" href="/" aria-label={t('app.home')}>
        <Mark />
        <span>{t('app.name')}</span>
      </Link>
      <nav class="nav" aria-label={t('nav.label')}>
        <Link href="/" aria-current={here('search')}>
          <Icon name="search" />
          <span>{t('nav.search')}</span>
        </Link>
        <Link href={libraryHref(null, '', null)} aria-current={here('library')}>
          <Icon name="library" />
          <span>{t('nav.library')}</span>
        </Link>
        <Link href="/system" aria-current={here('system')}>
          <Icon name="gauge" />
          <span>{t('nav.system')}</span>
        </Link>
      </nav>
      <div class="top-tools">
        <LanguageSwitch />
        <ThemeSwitch />
        <button
          type="button"
          class="icon-button top-help"
          aria-label={t('help.title')}
          title={t('help.title')}
          onClick={onHelp}
        >
          <Icon name="help" />
        </button>
      </div>
    </header>
  );
}

function LanguageSwitch() {
  const other = language() === 'zh' ? 'en' : 'zh';
  return (
    <button
      type="button"
      class="text-button top-language"
      lang={other === 'zh' ? 'zh-CN' : 'en'}
      title={t('nav.switch_language')}
      onClick={() => setLanguage(other)}
    >
      {t('nav.other_language')}
    </button>
  );
}

function ThemeSwitch() {
  const [theme, setShown] = useState<Theme>(storedTheme);
  const next: Theme = theme === 'auto' ? 'dark' : theme === 'dark' ? 'light' : 'auto';
  const label = t('nav.theme', { theme: t(`theme.${theme}`) });
  return (
    <button
      type="button"
      class="icon-button"
      data-theme-choice={theme}
      aria-label={label}
      title={label}
      onClick={() => {
        setTheme(next);
        setShown(next);
      }}
    >
      <Icon name={theme === 'auto' ? 'auto' : theme === 'dark' ? 'moon' : 'sun'} />
    </button>
  );
}

const helpKeys = [
  ['/', 'help.slash'],
  ['Enter', 'help.enter'],
  ['↑ ↓', 'help.arrows'],
  ['Esc', 'help.escape'],
  ['← →', 'help.pages'],
  ['n p', 'help.hits'],
  ['+ − 0', 'help.zoom'],
  ['Space', 'help.space'],
  ['?', 'help.this'],
] as const;

function Help({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={t('help.title')} onClose={onClose}>
      <dl class="keys">
        {helpKeys.map(([keys, text]) => (
          <div key={keys}>
            <dt>
              {keys.split(' ').map((one) => (
                <kbd key={one}>{one}</kbd>
              ))}
            </dt>
            <dd>{t(text)}</dd>
          </div>
        ))}
      </dl>
      <p class="dialog-note">{t('help.picture')}</p>
    </Dialog>
  );
}
