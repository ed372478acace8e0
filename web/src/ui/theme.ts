export type Theme = 'auto' | 'light' | 'dark';

const storageKey = 'sightline.theme';

export function storedTheme(): Theme {
  const stored = localStorage.getItem(storageKey);
  return stored === 'light' || stored === 'dark' ? stored : 'auto';
}

/** Shows a theme and remembers it; `auto` follows the system. */
export function setTheme(theme: Theme): void {
  if (theme === 'auto') localStorage.removeItem(storageKey);
  else localStorage.setItem(storageKey, theme);
  showTheme(theme);
}

export function showTheme(theme: Theme): void {
  if (theme === 'auto') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}
