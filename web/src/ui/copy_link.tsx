import { useEffect, useState } from 'preact/hooks';
import { t } from '../i18n/i18n';
import { Icon } from './icons';

/** Puts text on the clipboard, also where the page is not served securely (another host, http). */
async function copyText(text: string): Promise<boolean> {
  if (navigator.clipboard) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      // No permission: the older way below asks none.
    }
  }
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'offscreen';
  document.body.append(field);
  field.select();
  const copied = document.execCommand('copy');
  field.remove();
  return copied;
}

/** Copies an address of this page; says so in its own place. */
export function CopyLink({ href, label }: { href: () => string; label: string }) {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle');
  useEffect(() => {
    if (state === 'idle') return undefined;
    const timer = window.setTimeout(() => setState('idle'), 2000);
    return () => window.clearTimeout(timer);
  }, [state]);
  const copy = async () => {
    const done = await copyText(new URL(href(), location.href).href);
    setState(done ? 'copied' : 'failed');
  };
  const said = state === 'copied' ? t('action.copied') : state === 'failed' ? t('action.copy_failed') : '';
  return (
    <button
      type="button"
      class="icon-button"
      aria-label={label}
      title={label}
      onClick={() => void copy()}
    >
      <Icon name={state === 'copied' ? 'check' : state === 'failed' ? 'warn' : 'link'} />
      <span class="offscreen" role="status">
        {said}
      </span>
    </button>
  );
}
