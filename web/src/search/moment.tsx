// The evidence of a video hit: its frame, which plays from the moment when it is pressed.
import { useEffect, useRef, useState } from 'preact/hooks';
import { contentUrl } from '../api/client';
import type { Hit, TimeLocator } from '../api/types';
import { timeCode } from '../i18n/format';
import { t } from '../i18n/i18n';
import { Icon } from '../ui/icons';
import type { Moment } from './group';

interface MomentFrameProps {
  hit: Hit;
  at: TimeLocator;
  title: string;
  /** Address of the frame's image. */
  src: string | null;
}

export function MomentFrame({ hit, at, title, src }: MomentFrameProps) {
  const [playing, setPlaying] = useState(false);
  const [failed, setFailed] = useState(false);
  if (playing) {
    return <PlayingMoment id={hit.document_id} startMs={at.start_ms} title={title} />;
  }
  const time = timeCode(at.start_ms);
  return (
    <button
      type="button"
      class="moment-frame"
      aria-label={t('hit.play_from', { time, title })}
      onClick={() => setPlaying(true)}
    >
      {src && !failed ? (
        <img
          src={src}
          alt=""
          loading="lazy"
          decoding="async"
          draggable={false}
          onError={() => setFailed(true)}
        />
      ) : (
        <span class="moment-blank">
          <Icon name={hit.document_kind === 'audio' ? 'speech' : 'film'} size={32} />
        </span>
      )}
      <span class="moment-play">
        <Icon name="play" size={20} />
      </span>
      <span class="time-badge">{time}</span>
    </button>
  );
}

interface PlayingMomentProps {
  id: string;
  startMs: number;
  title: string;
}

function PlayingMoment({ id, startMs, title }: PlayingMomentProps) {
  const video = useRef<HTMLVideoElement>(null);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    const element = video.current;
    if (!element) return;
    element.focus({ preventScroll: true });
    // Pressing the frame asked for it, so this is no autoplay; a refusal leaves the controls.
    element.play().catch((error: unknown) => console.info('Playing waits for the controls:', error));
  }, []);
  if (failed) return <p class="moment-blank">{t('video.cannot_play')}</p>;
  return (
    <video
      ref={video}
      class="moment-video"
      src={contentUrl(id)}
      aria-label={title}
      controls
      playsInline
      preload="auto"
      onLoadedMetadata={(event) => {
        event.currentTarget.currentTime = startMs / 1000;
      }}
      onError={() => setFailed(true)}
    />
  );
}

interface StripProps {
  moments: readonly Moment[];
  durationMs: number;
}

/** Where the card's moments lie in the whole video. */
export function MomentStrip({ moments, durationMs }: StripProps) {
  return (
    <span class="strip" aria-hidden="true">
      {moments.map(({ hit, at }) => (
        <span
          key={hit.unit_id}
          class="strip-mark"
          style={{
            left: `${Math.min(100, (at.start_ms / durationMs) * 100)}%`,
            width: `${Math.max(0.8, ((at.end_ms - at.start_ms) / durationMs) * 100)}%`,
          }}
        />
      ))}
    </span>
  );
}
