import { render } from 'preact';
import { App } from './app';
import { initLanguage } from './i18n/i18n';
import { showTheme, storedTheme } from './ui/theme';
import './styles/base.css';
import './styles/controls.css';
import './styles/search.css';
import './styles/view.css';
import './styles/library.css';

initLanguage();
showTheme(storedTheme());
render(<App />, document.getElementById('app')!);
