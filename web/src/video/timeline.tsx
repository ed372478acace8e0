import { useState } from 'preact/hooks';
import { timeCode } from '../i18n/format';
import { t } from '../i18n/i18n';
import type { Moment } from '../search/group';

interface TimelineProps {
  moments: readonly Moment[];
  durationMs: number;
  timeMs: number;
  /** The opened hit. */
  unit: string | null;
  onSeek: (ms: number) => void;
}

const share = (ms: number, durationMs: number) =>
  `${Math.min(100, Math.max(0, (ms / durationMs) * 100)).toFixed(3)}%`;

/** The whole video as one line with all hits of the question on it. */
export function Timeline({ moments, durationMs, timeMs, unit, onSeek }: TimelineProps) {
  const [pointMs, setPointMs] = useState<number | null>(null);
  const msAt = (event: MouseEvent) => {
    const rect = (event.currentTarget as HTMLElement).getBoundingClientRect();
    return Math.min(1, Math.max(0, (event.clientX - rect.left) / rect.width)) * durationMs;
  };
  return (
    <div class="timeline" role="group" aria-label={t('video.timeline')}>
      <div
        class="timeline-bar"
        onClick={(event) => onSeek(msAt(event))}
        onPointerMove={(event) => setPointMs(msAt(event))}
        onPointerLeave={() => setPointMs(null)}
      >
        <span class="timeline-played" style={{ width: share(timeMs, durationMs) }} />
        {moments.map(({ hit, at }) => (
          <button
            key={hit.unit_id}
            type="button"
            class={hit.unit_id === unit ? 'timeline-mark timeline-mark-on' : 'timeline-mark'}
            style={{
              left: share(at.start_ms, durationMs),
              width: share(at.end_ms - at.start_ms, durationMs),
            }}
            aria-label={t('video.jump', { time: timeCode(at.start_ms), text: hit.snippet.slice(0, 80) })}
            title={timeCode(at.start_ms)}
            onClick={(event) => {
              event.stopPropagation();
              onSeek(at.start_ms);
            }}
          />
        ))}
        <span class="timeline-head" style={{ left: share(timeMs, durationMs) }} />
        {pointMs !== null && (
          <span class="timeline-point number" style={{ left: share(pointMs, durationMs) }}>
            {timeCode(pointMs)}
          </span>
        )}
      </div>
      <div class="timeline-ends number">
        <span>{timeCode(timeMs)}</span>
        <span>{timeCode(durationMs)}</span>
      </div>
    </div>
  );
}
