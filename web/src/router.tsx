// Moving between views without loading the page again; the browser's history stays the truth.
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { readView, type View } from './address';

/** What we keep with a history entry, to come back to the same place. */
interface EntryState {
  scrollY?: number;
  /** Element to focus again: the hit that was opened. */
  focusId?: string;
  /** The entry before this one is ours, so going back stays in the page. */
  inside?: boolean;
}

const listeners = new Set<() => void>();

function notify(): void {
  for (const listener of listeners) listener();
}

export function entryState(): EntryState {
  return (history.state as EntryState | null) ?? {};
}

/** Remembers where the person is before leaving this entry. */
function keepPlace(): void {
  const active = document.activeElement;
  const keep: EntryState = { ...entryState(), scrollY: window.scrollY };
  if (active instanceof HTMLElement && active.id !== '') keep.focusId = active.id;
  history.replaceState(keep, '');
}

export function navigate(href: string, how: 'push' | 'replace' = 'push'): void {
  if (how === 'push') {
    keepPlace();
    history.pushState({ inside: true } satisfies EntryState, '', href);
  } else {
    history.replaceState(entryState(), '', href);
  }
  notify();
}

/** Goes back where that stays in the page, otherwise to `fallback`. */
export function goBack(fallback: string): void {
  if (entryState().inside) history.back();
  else navigate(fallback);
}

if (typeof window !== 'undefined') {
  history.scrollRestoration = 'manual';
  window.addEventListener('popstate', notify);
}

/** The view of the current address. */
export function useView(): View {
  const [href, setHref] = useState(() => location.pathname + location.search);
  useEffect(() => {
    const update = () => setHref(location.pathname + location.search);
    listeners.add(update);
    return () => {
      listeners.delete(update);
    };
  }, []);
  const cut = href.indexOf('?');
  return cut < 0 ? readView(href, '') : readView(href.slice(0, cut), href.slice(cut));
}

type LinkProps = Omit<JSX.HTMLAttributes<HTMLAnchorElement>, 'href'> & {
  href: string;
  children?: ComponentChildren;
};

/** A link that stays in the page; with a modifier key or another button it is an ordinary link. */
export function Link({ href, onClick, children, ...rest }: LinkProps) {
  const follow = (event: JSX.TargetedMouseEvent<HTMLAnchorElement>) => {
    if (typeof onClick === 'function') onClick.call(event.currentTarget as never, event);
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    navigate(href);
  };
  return (
    <a href={href} onClick={follow} {...rest}>
      {children}
    </a>
  );
}
