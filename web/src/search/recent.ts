const storageKey = 'sightline.recent';
const limit = 12;

export function recentQueries(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '[]');
    if (!Array.isArray(stored)) return [];
    return stored.filter((entry): entry is string => typeof entry === 'string').slice(0, limit);
  } catch {
    // Somebody else's value under our key.
    return [];
  }
}

export function rememberQuery(query: string): void {
  const text = query.trim();
  if (text === '') return;
  const rest = recentQueries().filter((entry) => entry !== text);
  localStorage.setItem(storageKey, JSON.stringify([text, ...rest].slice(0, limit)));
}

export function forgetQueries(): void {
  localStorage.removeItem(storageKey);
}
