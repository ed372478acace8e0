// A button with a panel under it. The panel lies over the page, so opening it moves nothing.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon } from './icons';

interface MenuProps {
  label: string;
  /** Short text of the choice, shown in the button. */
  chosen: string | null;
  children: (close: () => void) => ComponentChildren;
  onOpen?: () => void;
}

export function Menu({ label, chosen, children, onOpen }: MenuProps) {
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!open) return undefined;
    const outside = (event: Event) => {
      if (!root.current?.contains(event.target as Node)) setOpen(false);
    };
    document.addEventListener('pointerdown', outside);
    document.addEventListener('focusin', outside);
    root.current?.querySelector<HTMLElement>('.menu-panel input, .menu-panel button')?.focus();
    return () => {
      document.removeEventListener('pointerdown', outside);
      document.removeEventListener('focusin', outside);
    };
  }, [open]);
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !open) return;
    event.stopPropagation();
    close();
  };
  const toggle = () => {
    if (!open) onOpen?.();
    setOpen(!open);
  };
  return (
    <div class="menu" ref={root} onKeyDown={onKeyDown}>
      <button
        ref={button}
        type="button"
        class={chosen === null ? 'chip' : 'chip chip-on'}
        aria-expanded={open}
        aria-haspopup="dialog"
        onClick={toggle}
      >
        {chosen ?? label}
        <Icon name="down" size={14} />
      </button>
      {open && (
        <div class="menu-panel" role="dialog" aria-label={label}>
          {children(close)}
        </div>
      )}
    </div>
  );
}

interface ChoiceListProps {
  options: { value: string; label: string; hint?: string }[];
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
  searchLabel: string;
  emptyLabel: string;
}

/** Check boxes with a field to narrow a long list. */
export function ChoiceList(props: ChoiceListProps) {
  const { options, chosen, onChange, searchLabel, emptyLabel } = props;
  const [text, setText] = useState('');
  const wanted = text.trim().toLowerCase();
  const shown = options.filter(({ label }) => label.toLowerCase().includes(wanted)).slice(0, 100);
  const toggle = (value: string) =>
    onChange(chosen.includes(value) ? chosen.filter((one) => one !== value) : [...chosen, value]);
  return (
    <>
      {options.length > 8 && (
        <input
          type="search"
          class="input menu-search"
          placeholder={searchLabel}
          aria-label={searchLabel}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      )}
      <ul class="choices">
        {shown.map(({ value, label, hint }) => (
          <li key={value}>
            <label class="choice">
              <input
                type="checkbox"
                checked={chosen.includes(value)}
                onChange={() => toggle(value)}
              />
              <span class="choice-label">{label}</span>
              {hint && <span class="choice-hint">{hint}</span>}
            </label>
          </li>
        ))}
        {shown.length === 0 && <li class="choice-empty">{emptyLabel}</li>}
      </ul>
    </>
  );
}
