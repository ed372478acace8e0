// A page with its regions framed. Everything is placed in page points by one SVG view box, so the
// frames stay where they belong at any size.
import { useState } from 'preact/hooks';
import type { Box } from '../api/types';
import { cropAround, isWholePage, type Crop } from './crop';

interface FramesProps {
  page: { width: number; height: number };
  boxes: readonly Box[];
  /** The box in front: drawn strongest. */
  current?: number;
  /** Darken what is outside the current box. */
  veil?: boolean;
}

const veilPath = (page: { width: number; height: number }, box: Box) =>
  `M0 0H${page.width}V${page.height}H0ZM${box.x} ${box.y}V${box.y + box.height}` +
  `H${box.x + box.width}V${box.y}Z`;

/** Frames over a page image that fills the same rectangle. */
export function Frames({ page, boxes, current = 0, veil = false }: FramesProps) {
  const pad = page.width * 0.005;
  const front = boxes[current];
  return (
    <svg
      class="frames"
      viewBox={`0 0 ${page.width} ${page.height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {veil && front && <path class="veil" d={veilPath(page, front)} fill-rule="evenodd" />}
      {boxes.map((box, index) => (
        <rect
          key={index}
          class={index === current ? 'frame frame-current' : 'frame'}
          data-box={index}
          x={box.x - pad}
          y={box.y - pad}
          width={box.width + 2 * pad}
          height={box.height + 2 * pad}
          rx={pad}
        />
      ))}
    </svg>
  );
}

const percent = (value: number) => `${(value * 100).toFixed(3)}%`;

/** Where the page lies in a window that shows `crop` of it. */
function placement(page: { width: number; height: number }, crop: Crop) {
  return {
    width: percent(page.width / crop.width),
    height: percent(page.height / crop.height),
    left: percent(-crop.x / crop.width),
    top: percent(-crop.y / crop.height),
  };
}

interface PageCropProps {
  src: string;
  alt: string;
  boxes: readonly Box[];
  /** Width ÷ height of the window, as the style sheet sets it. */
  aspect: number;
}

/** The part of a page around its best region; the image as it is where it is not a whole page. */
export function PageCrop({ src, alt, boxes, aspect }: PageCropProps) {
  const [size, setSize] = useState<{ width: number; height: number } | null>(null);
  const [failed, setFailed] = useState(false);
  const best = boxes[0];
  const page = best ? { width: best.page_width, height: best.page_height } : size;
  const onLoad = (event: Event) => {
    const image = event.currentTarget as HTMLImageElement;
    setSize({ width: image.naturalWidth, height: image.naturalHeight });
  };
  const wrong = best && size && page && !isWholePage(size, page);
  const shown = failed || !page || wrong ? null : cropAround(boxes, page, aspect);
  const image = (
    <img
      src={src}
      alt={alt}
      loading="lazy"
      decoding="async"
      draggable={false}
      onLoad={onLoad}
      onError={() => setFailed(true)}
      hidden={failed}
    />
  );
  if (!shown || !page) return <div class="crop crop-plain">{image}</div>;
  return (
    <div class={best ? 'crop' : 'crop crop-whole'}>
      <div class="crop-page" style={placement(page, shown)}>
        {image}
        {best && size && <Frames page={page} boxes={boxes} veil />}
      </div>
    </div>
  );
}
