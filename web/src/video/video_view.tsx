import { useEffect, useRef, useState } from 'preact/hooks';
import { documentHref, type Ask } from '../address';
import { contentUrl, previewUrl } from '../api/client';
import { isTimeLocator, type SourceDocument } from '../api/types';
import { timeCode, timeRange } from '../i18n/format';
import { t } from '../i18n/i18n';
import { titleOf } from '../library/documents';
import { goBack, navigate } from '../router';
import { groupHits, momentsOf } from '../search/group';
import { useHotkeys, isTyping } from '../ui/hotkeys';
import { HitList } from '../view/hit_list';
import { useDocumentHits, useUnits } from '../view/use_document';
import { backHref, ViewBar } from '../view/view_bar';
import { Timeline } from './timeline';
import { TranscriptPanel } from './transcript_panel';

const seekStepMs = 5000;

interface VideoViewProps {
  document: SourceDocument;
  timeS: number | null;
  unit: string | null;
  ask: Ask;
}

export function VideoView({ document: document_, timeS, unit, ask }: VideoViewProps) {
  const { id } = document_;
  const title = titleOf(document_);
  const player = useRef<HTMLVideoElement>(null);
  const [timeMs, setTimeMs] = useState((timeS ?? 0) * 1000);
  const [lengthMs, setLengthMs] = useState(document_.duration_ms ?? 0);
  const [failed, setFailed] = useState(false);
  const { value: units } = useUnits(id, { from_ms: 0 });
  const hits = useDocumentHits(id, ask, unit);
  const moments = momentsOf(hits);
  // Neighbouring moments are one place to go to, as on the cards.
  const places = momentsOf(groupHits(hits).map(({ lead }) => lead));

  const show = (ms: number) => {
    setTimeMs(ms);
    if (player.current) player.current.currentTime = ms / 1000;
  };
  // Each place that a person jumps to is an address, but not an entry in the history.
  const seek = (ms: number, to: string | null = null) => {
    show(ms);
    navigate(documentHref(id, ms / 1000, ask, to), 'replace');
  };
  useEffect(() => {
    if (timeS !== null && Math.abs(timeS * 1000 - timeMs) > 1) show(timeS * 1000);
  }, [timeS]);
  const step = (direction: 1 | -1) => {
    const ahead = direction === 1 ? moments : [...moments].reverse();
    const next = ahead.find(({ at }) =>
      direction === 1 ? at.start_ms > timeMs + 200 : at.start_ms < timeMs - 1500,
    );
    if (next) seek(next.at.start_ms, next.hit.unit_id);
  };
  const toggle = () => {
    const video = player.current;
    if (!video) return;
    if (video.paused) void video.play();
    else video.pause();
  };
  useHotkeys((key, event) => {
    const inside = event.target instanceof HTMLButtonElement || event.target === player.current;
    if (isTyping(event.target)) return;
    if (key === 'Escape') goBack(backHref(ask));
    else if (key === 'n') step(1);
    else if (key === 'p') step(-1);
    else if (key === ' ' && !inside) toggle();
    else if (key === 'ArrowLeft' && !inside) show(Math.max(0, timeMs - seekStepMs));
    else if (key === 'ArrowRight' && !inside) show(Math.min(lengthMs, timeMs + seekStepMs));
    else return;
    event.preventDefault();
  });
  return (
    <main class="view view-video" id="main">
      <ViewBar
        title={title}
        id={id}
        ask={ask}
        link={() => documentHref(id, timeMs / 1000, ask, unit)}
      >
        <span class="number view-time">{timeCode(timeMs)}</span>
      </ViewBar>
      <div class="video-body">
        <div class="video-main">
          {failed ? (
            <p class="video-failed">{t('video.cannot_play')}</p>
          ) : (
            <video
              ref={player}
              class={document_.kind === 'audio' ? 'player player-audio' : 'player'}
              src={contentUrl(id)}
              poster={document_.preview_id ? previewUrl(document_.preview_id) : undefined}
              aria-label={title}
              controls
              playsInline
              preload="auto"
              onLoadedMetadata={(event) => {
                const video = event.currentTarget;
                if (Number.isFinite(video.duration)) setLengthMs(video.duration * 1000);
                if (timeMs > 0) video.currentTime = timeMs / 1000;
              }}
              onTimeUpdate={(event) => setTimeMs(event.currentTarget.currentTime * 1000)}
              onError={() => setFailed(true)}
            />
          )}
          {lengthMs > 0 && (
            <Timeline
              moments={moments}
              durationMs={lengthMs}
              timeMs={timeMs}
              unit={unit}
              onSeek={seek}
            />
          )}
          {places.length > 0 && (
            <HitList
              hits={places.map(({ hit }) => hit)}
              ask={ask}
              place={({ locator }) =>
                isTimeLocator(locator) ? timeRange(locator.start_ms, locator.end_ms) : ''
              }
              isCurrent={({ locator }) =>
                isTimeLocator(locator) && timeMs + 50 >= locator.start_ms && timeMs < locator.end_ms
              }
              onOpen={(hit, event) => {
                event.preventDefault();
                if (isTimeLocator(hit.locator)) seek(hit.locator.start_ms, hit.unit_id);
              }}
            />
          )}
        </div>
        <TranscriptPanel units={units ?? []} loaded={units !== null} timeMs={timeMs} onSeek={seek} />
      </div>
    </main>
  );
}
