/** Our own symbols, drawn on a 20 × 20 grid with a line of 1.6. */
const PATHS = {
  alert: 'M10 3 2.5 16.5h15zM10 8v4M10 14.2v.1',
  archive: 'M3 4h14v4H3zM4.5 8v8h11V8M8 11h4',
  arrowDown: 'M10 4v12m-4.5-4.5L10 16l4.5-4.5',
  arrowUp: 'M10 16V4M5.5 8.5 10 4l4.5 4.5',
  bell: 'M5.500 14h9l-1.200-2V9a3.300 3.300 0 00-6.600 0v3zM8.500 16.500h3M10 4v1.700',
  check: 'M4 10.5l4 4 8-9',
  chevronDown: 'M5 7.5l5 5 5-5',
  chevronRight: 'M7.5 5l5 5-5 5',
  clock: 'M10 3a7 7 0 100 14 7 7 0 000-14M10 6v4l3 2',
  close: 'M5 5l10 10M15 5L5 15',
  code: 'M7 6l-4 4 4 4M13 6l4 4-4 4',
  copy: 'M7 7h9v9H7zM4 13V4h9',
  dots: 'M4.5 10h.1M10 10h.1M15.5 10h.1',
  download: 'M10 3v9m-4-4l4 4 4-4M4 16h12',
  envelope: 'M3 5h14v10H3zM3 5.500l7 5.500 7-5.500',
  exchange: 'M4 7h12m-3.500-3.500L16 7M16 13H4m3.500 3.500L4 13',
  file: 'M5 3h7l3 3v11H5zM12 3v4h3',
  help: 'M7.5 7.5a2.5 2.5 0 114 2c-1 .7-1.5 1.2-1.5 2.3M10 14.5v.1',
  home: 'M3 9.5L10 4l7 5.5M5 8.5V16h10V8.5M8.5 16v-4h3v4',
  key: 'M12.5 3.5a4 4 0 100 8 4 4 0 000-8M9.7 10.3L3 17m2-2l2 2m0-4l2 2',
  lock: 'M5 9h10v8H5zM7 9V6.5a3 3 0 016 0V9',
  logout: 'M8 4H4v12h4M8 10h9m-3.5-3.5L17 10l-3.5 3.5',
  map: 'M3 5h5v4H3zM12 3h5v4h-5zM12 12h5v4h-5zM8 7h2m2-2h-2v9h2',
  minus: 'M4 10h12',
  moon: 'M15.5 12A6.5 6.5 0 018 4.500a6.500 6.500 0 107.500 7.500',
  partners: 'M3 16V7l4-3 4 3v9M11 10h6v6M3 16h14M6 9h.1M8 9h.1M6 12h.1M8 12h.1',
  play: 'M6 4l10 6-10 6z',
  plus: 'M10 4v12M4 10h12',
  production:
    'M10 2.500l6.500 3v4.500c0 3.500-2.700 6-6.500 7.500-3.800-1.500-6.500-4-6.500-7.500V5.500z',
  redo: 'M16 8H8a4 4 0 000 8h4M16 8l-3.500-3.500M16 8l-3.500 3.500',
  refresh: 'M16 10a6 6 0 11-2-4.500M16 3v3.500h-3.500',
  repeat:
    'M4 9V7.500a2 2 0 012-2h9m-2.500-2.500L15 5.500 12.500 8M16 11v1.500a2 2 0 01-2 2H5m2.500 2.500L5 14.500 7.500 12',
  search: 'M9 3.500a5.500 5.500 0 100 11 5.500 5.500 0 000-11M13 13l4 4',
  spark: 'M10 3l1.800 5.200L17 10l-5.200 1.800L10 17l-1.800-5.200L3 10l5.200-1.800z',
  sun: 'M10 6.500a3.500 3.500 0 100 7 3.500 3.500 0 000-7M10 2v1.500M10 16.500V18M2 10h1.500M16.500 10H18M4.300 4.300l1.100 1.100M14.600 14.600l1.100 1.100M15.700 4.300l-1.100 1.100M5.400 14.600l-1.100 1.100',
  trash: 'M4 6h12M8 6V4h4v2M6 6l.7 10.500h6.600L14 6',
  undo: 'M4 8h8a4 4 0 010 8H8M4 8l3.500-3.500M4 8l3.500 3.500',
  upload: 'M10 13V4m-4 4l4-4 4 4M4 16h12',
  users:
    'M7.500 4a2.500 2.500 0 100 5 2.500 2.500 0 000-5M2.500 16c.4-3 2-4.500 5-4.500s4.600 1.500 5 4.500M12.500 4.300a2.500 2.500 0 010 4.500M14 11.700c2 .4 3.200 1.800 3.500 4.300',
  user: 'M10 3.500a3 3 0 100 6 3 3 0 000-6M4 16.500c.5-3.500 2.700-5 6-5s5.500 1.500 6 5',
} as const;

export type IconName = keyof typeof PATHS;

interface Props {
  name: IconName;
  size?: number;
  /** Only where the symbol stands alone; next to a word it is decoration. */
  label?: string;
}

export function Icon({ name, size = 18, label }: Props) {
  const drawing = {
    width: size,
    height: size,
    viewBox: '0 0 20 20',
    fill: 'none',
    stroke: 'currentColor',
    strokeWidth: 1.6,
    strokeLinecap: 'round',
    strokeLinejoin: 'round',
  } as const;
  if (label === undefined) {
    return (
      <svg {...drawing} aria-hidden="true">
        <path d={PATHS[name]} />
      </svg>
    );
  }
  return (
    <svg {...drawing} role="img" aria-label={label}>
      <title>{label}</title>
      <path d={PATHS[name]} />
    </svg>
  );
}
