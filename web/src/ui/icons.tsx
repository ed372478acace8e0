// Drawn for this page on a 20 × 20 grid; decoration, so hidden from screen readers.
const paths = {
  search: 'M9 3.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11ZM13 13l4 4',
  picture: 'M3 4.5h14v11H3zM3 13l4-4 3.5 3.5L13 10l4 4M13.2 7.6a.6.6 0 1 0 0-1.2.6.6 0 0 0 0 1.2',
  close: 'M5 5l10 10M15 5L5 15',
  page: 'M5 2.8h7l3.2 3.2v11.2H5zM12 2.8V6h3.2M7.6 9.5h5M7.6 12h5M7.6 14.5h3',
  film: 'M3 4.5h14v11H3zM3 8h14M3 12h14M6.5 4.5V8M6.5 12v3.5M13.5 4.5V8M13.5 12v3.5',
  speech: 'M10 3v9M7 5.5v4a3 3 0 0 0 6 0v-4a3 3 0 0 0-6 0ZM4.8 9.5a5.2 5.2 0 0 0 10.4 0M10 14.7V17',
  text: 'M4 5h12M4 8.4h12M4 11.8h12M4 15.2h7',
  play: 'M7 4.8v10.4l8.4-5.2z',
  left: 'M12.5 4.5L7 10l5.5 5.5',
  right: 'M7.5 4.5L13 10l-5.5 5.5',
  up: 'M4.5 12.5L10 7l5.5 5.5',
  down: 'M4.5 7.5L10 13l5.5-5.5',
  back: 'M16.5 10h-13M8.5 5l-5 5 5 5',
  plus: 'M10 4v12M4 10h12',
  minus: 'M4 10h12',
  link: 'M8.2 11.8a3 3 0 0 0 4.3 0l3-3a3 3 0 0 0-4.3-4.3l-1 1M11.8 8.2a3 3 0 0 0-4.3 0l-3 3a3 3 0 0 0 4.3 4.3l1-1',
  open: 'M8.5 4.5h-4v11h11v-4M11.5 3.5h5v5M16.2 3.8L9.5 10.5',
  trash: 'M3.5 5.5h13M8 5.5V3.5h4v2M5.2 5.5l.7 11h8.2l.7-11M8.4 8.5v5M11.6 8.5v5',
  retry: 'M15.8 8.5A6 6 0 1 0 16 11M16 4.5v4h-4',
  check: 'M4 10.5l4 4 8-9',
  warn: 'M10 3.2l7.4 13.2H2.6zM10 8v4M10 14.2v.3',
  filter: 'M3 5h14M5.8 10h8.4M8.5 15h3',
  sun: 'M10 6.8a3.2 3.2 0 1 0 0 6.4 3.2 3.2 0 0 0 0-6.4ZM10 2v2M10 16v2M2 10h2M16 10h2M4.3 4.3l1.5 1.5M14.2 14.2l1.5 1.5M15.7 4.3l-1.5 1.5M5.8 14.2l-1.5 1.5',
  moon: 'M15.8 12.3A6.5 6.5 0 0 1 7.7 4.2a6.5 6.5 0 1 0 8.1 8.1Z',
  auto: 'M10 3.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13ZM10 3.5v13',
  help: 'M10 2.8a7.2 7.2 0 1 0 0 14.4 7.2 7.2 0 0 0 0-14.4ZM7.9 8a2.1 2.1 0 1 1 3 1.9c-.6.3-.9.7-.9 1.4M10 13.8v.2',
  upload: 'M10 13.5v-9M6 8l4-4 4 4M3.5 13.5v3h13v-3',
  library: 'M4 3.5v13M7.5 3.5v13M11 4l4.5 12.2',
  gauge: 'M3.2 14a7.4 7.4 0 1 1 13.6 0M10 12.5l3.2-4.5M10 12.2a.8.8 0 1 0 0 1.6.8.8 0 0 0 0-1.6',
  clock: 'M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14ZM10 6v4.2l2.8 1.8',
  like: 'M3 3.5h8v8H3zM9 14v2.5h8v-8h-3',
  fit: 'M3.5 7V3.5H7M13 3.5h3.5V7M16.5 13v3.5H13M7 16.5H3.5V13',
  folder: 'M3 5h5l1.6 2H17v8.5H3z',
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  return (
    <svg class="icon" width={size} height={size} viewBox="0 0 20 20" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}

/** The mark of Sightline: a frame with a line of sight through it. */
export function Mark({ size = 22 }: { size?: number }) {
  return (
    <svg class="brandmark" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      <path class="brandmark-frame" d="M3.5 8.5v-5h5M15.5 3.5h5v5M20.5 15.5v5h-5M8.5 20.5h-5v-5" />
      <path class="brandmark-line" d="M6.5 12h11" />
    </svg>
  );
}
