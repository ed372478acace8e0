// The page itself: its image with the regions framed and the text selectable.
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { pageImageUrl } from '../api/client';
import type { Box, Unit } from '../api/types';
import { t } from '../i18n/i18n';
import { Frames } from '../ui/evidence';
import { imageWidthFor, isSoft } from './image_width';
import { TextLayer } from './text_layer';

const defaultAspect = 1 / Math.SQRT2;

interface PageStageProps {
  id: string;
  page: number;
  zoom: number;
  boxes: readonly Box[];
  units: readonly Unit[];
  label: string;
}

/** Width of the scrolling area that the page may fill. */
function useRoom(element: { current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const target = element.current;
    if (!target) return undefined;
    const measure = () => setWidth(target.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(target);
    return () => observer.disconnect();
  }, []);
  return width;
}

/**
 * Address of a picture of the page that is sharp at `width` CSS pixels, once it has arrived; the
 * stored one, `storedWidth` pixels wide, until then and where it is sharp enough.
 */
function useSharpSource(id: string, page: number, width: number, storedWidth: number): string {
  const stored = pageImageUrl(id, page);
  const soft = isSoft(storedWidth, width, window.devicePixelRatio);
  const wanted = soft
    ? pageImageUrl(id, page, imageWidthFor(width, window.devicePixelRatio))
    : stored;
  const [arrived, setArrived] = useState(stored);
  useEffect(() => {
    if (wanted === stored) return undefined;
    const picture = new Image();
    picture.onload = () => setArrived(wanted);
    picture.src = wanted;
    return () => {
      picture.onload = null;
      // Ends a request that nobody waits for any more.
      if (!picture.complete) picture.src = '';
    };
  }, [wanted]);
  // Another width of the same page is better than the stored one while the next is on its way.
  return soft && arrived.startsWith(`${stored}?`) ? arrived : stored;
}

export function PageStage({ id, page, zoom, boxes, units, label }: PageStageProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const sheet = useRef<HTMLDivElement>(null);
  const room = useRoom(scroller);
  const src = pageImageUrl(id, page);
  const [image, setImage] = useState<{ src: string; width: number; height: number } | null>(null);
  const [failedSrc, setFailedSrc] = useState<string | null>(null);
  const loaded = image?.src === src ? image : null;
  const box = boxes[0];
  const unitBox = units.map(({ locator }) => ('box' in locator ? locator.box : null)).find(Boolean);
  const size = box ?? unitBox;
  const points = size
    ? { width: size.page_width, height: size.page_height }
    : { width: loaded?.width ?? 612, height: loaded?.height ?? 612 / defaultAspect };
  const width = Math.round(Math.min(room - 32, 900) * zoom);
  const height = Math.round((width * points.height) / points.width);
  useEffect(() => {
    scroller.current?.scrollTo({ top: 0, left: 0 });
  }, [src]);
  const ready = loaded !== null && width > 0;
  const shown = useSharpSource(id, page, ready ? width : 0, loaded?.width ?? 0);
  const boxKey = box ? `${box.x},${box.y}` : '';
  useEffect(() => {
    const area = scroller.current;
    if (!ready || !box || !area || !sheet.current) return;
    const scale = sheet.current.clientWidth / box.page_width;
    const middle = sheet.current.offsetTop + (box.y + box.height / 2) * scale;
    const across = sheet.current.offsetLeft + (box.x + box.width / 2) * scale;
    area.scrollTo({ top: middle - area.clientHeight * 0.42, left: across - area.clientWidth / 2 });
  }, [ready, src, boxKey, zoom]);
  return (
    <div
      class="stage"
      ref={scroller}
      tabIndex={0}
      role="region"
      aria-label={label}
      data-ready={ready ? 'true' : 'false'}
    >
      <div
        class={ready ? 'sheet' : 'sheet sheet-waiting'}
        ref={sheet}
        style={{ width: `${width}px`, height: `${height}px` }}
      >
        {failedSrc === src ? (
          <p class="sheet-failed">{t('page.no_image')}</p>
        ) : (
          <img
            class="sheet-image"
            src={shown}
            alt={label}
            draggable={false}
            onLoad={(event) => {
              const { naturalWidth, naturalHeight } = event.currentTarget;
              if (shown !== src) return;
              setImage({ src, width: naturalWidth, height: naturalHeight });
            }}
            onError={() => setFailedSrc(src)}
          />
        )}
        {ready && boxes.length > 0 && <Frames page={points} boxes={boxes} />}
        {ready && <TextLayer units={units} scale={width / points.width} />}
      </div>
    </div>
  );
}
