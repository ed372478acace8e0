import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Unit } from '../api/types';
import { timeCode } from '../i18n/format';
import { t, tMaybe } from '../i18n/i18n';
import { Snippet } from '../search/snippet';
import { lineAt, occurrences, transcriptLines } from './transcript';

interface TranscriptPanelProps {
  units: readonly Unit[];
  loaded: boolean;
  timeMs: number;
  onSeek: (ms: number) => void;
}

/** What is said and shown, following the video; searchable, and each line leads to its moment. */
export function TranscriptPanel({ units, loaded, timeMs, onSeek }: TranscriptPanelProps) {
  const [text, setText] = useState('');
  const [follow, setFollow] = useState(true);
  const list = useRef<HTMLOListElement>(null);
  const lines = useMemo(() => transcriptLines(units), [units]);
  const current = lineAt(lines, timeMs + 50);
  const shown = lines
    .map((line, index) => ({ ...line, index, found: occurrences(line.unit.text, text) }))
    .filter(({ found }) => text.trim() === '' || found.length > 0);
  useEffect(() => {
    const area = list.current;
    const line = area?.querySelector<HTMLElement>('[aria-current="true"]');
    if (!follow || !area || !line) return;
    area.scrollTo({ top: line.offsetTop - area.clientHeight * 0.35 });
  }, [current, follow, text]);
  return (
    <section class="transcript" aria-label={t('video.transcript')}>
      <header class="transcript-head">
        <input
          type="search"
          class="input"
          placeholder={t('video.find')}
          aria-label={t('video.find')}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <label class="check">
          <input
            type="checkbox"
            checked={follow}
            onChange={(event) => setFollow(event.currentTarget.checked)}
          />
          {t('video.follow')}
        </label>
      </header>
      <ol ref={list} class="transcript-lines" tabIndex={0} aria-label={t('video.lines')}>
        {shown.map(({ unit, at, index, found }) => (
          <li key={unit.id}>
            <button
              type="button"
              class="transcript-line"
              aria-current={index === current ? 'true' : undefined}
              onClick={() => onSeek(at.start_ms)}
            >
              <span class="number transcript-time">{timeCode(at.start_ms)}</span>
              <span>
                <Snippet text={unit.text} highlights={found} language={unit.language} />
                {unit.source === 'on_screen_text' && (
                  <span class="transcript-source">{tMaybe('why.on_screen_text')}</span>
                )}
              </span>
            </button>
          </li>
        ))}
        {loaded && shown.length === 0 && (
          <li class="transcript-empty">
            {lines.length === 0 ? t('video.no_transcript') : t('video.not_said')}
          </li>
        )}
      </ol>
    </section>
  );
}
