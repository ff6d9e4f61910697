/** Our icons: 16 × 16 outlines drawn with the text's colour. */
import type { ReactNode } from 'react';

const shapes = {
  queued: (
    <>
      <circle cx="8" cy="8" r="6" />
      <path d="M8 4.5v3.5l2.3 1.5" />
    </>
  ),
  starting: <circle cx="8" cy="8" r="6" strokeDasharray="2.4 2.3" />,
  running: (
    <>
      <circle cx="8" cy="8" r="6" />
      <path d="M8 2a6 6 0 0 1 0 12z" fill="currentColor" stroke="none" />
    </>
  ),
  done: <path d="M3 8.5 6.5 12 13 4.5" />,
  failed: <path d="M4 4l8 8M12 4l-8 8" />,
  stopped: <rect x="4" y="4" width="8" height="8" rx="1" fill="currentColor" stroke="none" />,
  stopping: <rect x="4" y="4" width="8" height="8" rx="1" strokeDasharray="2 1.6" />,
  created: <circle cx="8" cy="8" r="5.5" />,
  preempted: <path d="M3 3v10M13 8H6M9 5 6 8l3 3" />,
  lost: (
    <>
      <circle cx="8" cy="8" r="6" />
      <path d="M6.3 6.3a1.7 1.7 0 1 1 2.3 1.7c-.5.2-.6.5-.6 1M8 11.2v.1" />
    </>
  ),
  cordoned: (
    <>
      <circle cx="8" cy="8" r="6" />
      <path d="M4 8h8" />
    </>
  ),
  play: <path d="M5 3.5v9l7-4.5z" />,
  stop: <rect x="4" y="4" width="8" height="8" rx="1" />,
  restart: <path d="M13 8a5 5 0 1 1-1.6-3.7M13 2v3h-3" />,
  copy: (
    <>
      <rect x="5.5" y="5.5" width="8" height="8" rx="1.5" />
      <path d="M3.5 10.5h-.3A.7.7 0 0 1 2.5 9.8V3.2a.7.7 0 0 1 .7-.7h6.6a.7.7 0 0 1 .7.7v.3" />
    </>
  ),
  trash: <path d="M2.5 4.5h11M6 4.5v-2h4v2M4 4.5l.6 9h6.8l.6-9M6.7 7v4M9.3 7v4" />,
  edit: <path d="M10.5 3 13 5.5 6 12.5l-3 .5.5-3z" />,
  reset: <path d="M3 3v3.5h3.5M3.3 6.3A5 5 0 1 1 3 9" />,
  plus: <path d="M8 3v10M3 8h10" />,
  search: (
    <>
      <circle cx="7" cy="7" r="4.5" />
      <path d="m10.5 10.5 3 3" />
    </>
  ),
  more: (
    <>
      <circle cx="3.5" cy="8" r=".8" fill="currentColor" />
      <circle cx="8" cy="8" r=".8" fill="currentColor" />
      <circle cx="12.5" cy="8" r=".8" fill="currentColor" />
    </>
  ),
  down: <path d="m4 6 4 4 4-4" />,
  up: <path d="m4 10 4-4 4 4" />,
  left: <path d="M10 4 6 8l4 4" />,
  right: <path d="m6 4 4 4-4 4" />,
  first: <path d="M4 3h8M8 13V6.500M5 9l3-3 3 3" />,
  last: <path d="M4 13h8M8 3v6.500M5 7l3 3 3-3" />,
  follow: <path d="m4 3.5 4 4 4-4M4 8.5l4 4 4-4" />,
  download: <path d="M8 2.5v7M5 7l3 3 3-3M2.5 11v2.5h11V11" />,
  jobs: <path d="M5.5 4h8M5.5 8h8M5.5 12h8M2.5 4h.1M2.5 8h.1M2.5 12h.1" />,
  nodes: (
    <>
      <rect x="2.5" y="2.5" width="11" height="4.5" rx="1" />
      <rect x="2.5" y="9" width="11" height="4.5" rx="1" />
      <path d="M5 4.7h.1M5 11.2h.1" />
    </>
  ),
  clusters: (
    <>
      <rect x="5.5" y="2" width="5" height="4" rx="1" />
      <rect x="1.5" y="10" width="5" height="4" rx="1" />
      <rect x="9.5" y="10" width="5" height="4" rx="1" />
      <path d="M8 6v2M4 10V8h8v2" />
    </>
  ),
  user: (
    <>
      <circle cx="8" cy="5.5" r="2.7" />
      <path d="M2.8 13.5c.8-2.6 2.8-3.6 5.2-3.6s4.4 1 5.2 3.6" />
    </>
  ),
  users: (
    <>
      <circle cx="6" cy="5.5" r="2.4" />
      <path d="M1.5 13c.6-2.3 2.3-3.2 4.500-3.200s3.900.9 4.500 3.200M10.500 3.300a2.400 2.400 0 0 1 0 4.400M12 10.200c1.400.4 2.200 1.300 2.600 2.800" />
    </>
  ),
  groups: (
    <>
      <circle cx="8" cy="4.500" r="2" />
      <circle cx="3.800" cy="10" r="1.700" />
      <circle cx="12.200" cy="10" r="1.700" />
      <path d="M6.900 6.300 4.800 8.600M9.100 6.300l2.100 2.300M5.500 10h5" />
    </>
  ),
  projects: <path d="M2 4.500A1 1 0 0 1 3 3.500h3l1.500 2H13a1 1 0 0 1 1 1v5.500a1 1 0 0 1-1 1H3a1 1 0 0 1-1-1z" />,
  inbox: <path d="M2 9.500 4 3.500h8l2 6v3H2zM2 9.500h3.500l1 1.500h3l1-1.500H14" />,
  packages: <path d="M8 1.800 13.500 4.800v6.400L8 14.200l-5.500-3V4.800zM2.500 4.800 8 7.800l5.500-3M8 7.800v6.400M5.200 3.300l5.500 3" />,
  flavors: <path d="M2.500 5 8 2.200 13.500 5 8 7.800zM2.500 8 8 10.800 13.500 8M2.500 11 8 13.800 13.500 11" />,
  pools: (
    <>
      <ellipse cx="8" cy="4" rx="5.500" ry="2" />
      <path d="M2.500 4v8c0 1.100 2.500 2 5.500 2s5.500-.9 5.500-2V4M2.500 8c0 1.100 2.500 2 5.500 2s5.500-.9 5.500-2" />
    </>
  ),
  volumes: (
    <>
      <rect x="2" y="3" width="12" height="10" rx="1.5" />
      <path d="M2 9h12M11.300 11h.1M8.800 11h.1" />
    </>
  ),
  transfers: <path d="M2.500 5.500h10M10 3l2.500 2.500L10 8M13.500 10.500h-10M6 8l-2.500 2.500L6 13" />,
  datasets: (
    <>
      <rect x="2" y="6.500" width="9" height="7" rx="1" />
      <path d="M4.500 6.500v-2h9v7H11M7 4.500v-2h7v6.500" />
    </>
  ),
  upload: <path d="M8 10V3M5 5.500l3-3 3 3M2.500 11v2.500h11V11" />,
  pause: <path d="M5.500 3.500v9M10.500 3.500v9" />,
  quotas: <path d="M2.500 12a5.800 5.800 0 1 1 11 0M8 11l2.800-4.200" />,
  priorities: <path d="M3 13V9M6.500 13V6.500M10 13V4.500M13.500 13V2.500" />,
  audit: (
    <>
      <path d="M3.500 2h6l3 3v9h-9z" />
      <path d="M5.800 9 7.300 10.500 10.200 7.300" />
    </>
  ),
  panel: (
    <>
      <rect x="2" y="2.500" width="12" height="11" rx="1" />
      <path d="M2 6h12M5 8.500v3M8 8.500v3M11 8.500v3" />
    </>
  ),
  move: <path d="M2 8h11M9.500 4.500 13 8l-3.500 3.500" />,
  drain: <path d="M3 3h10l-3.500 5v4.500l-3 1V8z" />,
  calendar: (
    <>
      <rect x="2" y="3.500" width="12" height="10" rx="1" />
      <path d="M2 6.500h12M5 2v3M11 2v3" />
    </>
  ),
  globe: (
    <>
      <circle cx="8" cy="8" r="5.8" />
      <path d="M2.2 8h11.6M8 2.2c3.2 3.6 3.2 8 0 11.6C4.8 10.2 4.8 5.8 8 2.2z" />
    </>
  ),
  sun: (
    <>
      <circle cx="8" cy="8" r="2.7" />
      <path d="M8 1.5v1.3M8 13.2v1.3M1.5 8h1.3M13.2 8h1.3M3.4 3.4l.9.9M11.7 11.7l.9.9M12.6 3.4l-.9.9M4.3 11.7l-.9.9" />
    </>
  ),
  moon: <path d="M13.3 9.6A5.7 5.7 0 0 1 6.4 2.7a5.7 5.7 0 1 0 6.9 6.9z" />,
  screen: (
    <>
      <rect x="2" y="3" width="12" height="8" rx="1" />
      <path d="M8 11v2.5M5.5 13.5h5" />
    </>
  ),
  signOut: <path d="M6 2.5H3v11h3M7 8h6.5M11 5.5 13.5 8 11 10.5" />,
  warning: <path d="M8 2.3 14.3 13H1.7zM8 6.5v3M8 11.3v.1" />,
  info: (
    <>
      <circle cx="8" cy="8" r="6" />
      <path d="M8 7.3V11M8 5v.1" />
    </>
  ),
  bulb: <path d="M6 11.5h4M6.5 13.7h3M5.5 9.5a3.9 3.9 0 1 1 5 0c-.5.4-.6 1-.6 2H6.1c0-1-.1-1.6-.6-2z" />,
  clock: (
    <>
      <circle cx="8" cy="8" r="5.8" />
      <path d="M8 4.8V8l2.2 1.4" />
    </>
  ),
  key: (
    <>
      <circle cx="5.5" cy="10.5" r="2.8" />
      <path d="m7.6 8.4 5.4-5.4M10.7 5.3l1.8 1.8" />
    </>
  ),
  menu: <path d="M2.5 4.5h11M2.5 8h11M2.5 11.5h11" />,
  close: <path d="m4 4 8 8M12 4l-8 8" />,
  wrap: <path d="M2.5 4h11M2.5 8h9a2 2 0 1 1 0 4H8M9.5 10.5 8 12l1.5 1.5M2.5 12h2.5" />,
  filter: <path d="M2.5 3.5h11L9.3 8.6v4l-2.6 1v-5z" />,
  overview: (
    <>
      <rect x="2.5" y="2.5" width="4.5" height="6" rx="1" />
      <rect x="9" y="2.5" width="4.5" height="3.5" rx="1" />
      <rect x="2.5" y="10.5" width="4.5" height="3" rx="1" />
      <rect x="9" y="8" width="4.5" height="5.5" rx="1" />
    </>
  ),
  queue: <path d="M2.5 4h7M2.5 8h7M2.5 12h7M12.5 3v9M10.7 10.2l1.8 1.8 1.8-1.8" />,
  score: <path d="M2.5 13.5v-11M2.5 13.5h11M5 10.5c2-6 4-6.5 8-7.5" />,
  bell: <path d="M4 11V7.500a4 4 0 0 1 8 0V11l1.3 1.500H2.700zM6.8 14.200h2.4" />,
  keyboard: (
    <>
      <rect x="1.5" y="4" width="13" height="8.5" rx="1.5" />
      <path d="M4 7h.1M6.7 7h.1M9.4 7h.1M12 7h.1M5 10h6" />
    </>
  ),
  pin: <path d="M6 2.500h4M6.7 2.500v4L4.5 9h7L9.3 6.500v-4M8 9v4.5" />,
  unpin: <path d="M6 2.500h4M9.3 6.500v-4M6.7 6 4.5 9h5M8 9v4.500M2.5 2.500l11 11" />,
  grip: <path d="M6 4h.1M10 4h.1M6 8h.1M10 8h.1M6 12h.1M10 12h.1" />,
  terminal: (
    <>
      <rect x="1.5" y="2.5" width="13" height="11" rx="1.5" />
      <path d="m4.5 6 2 2-2 2M8.5 10h3" />
    </>
  ),
  chart: <path d="M2.5 13.500h11M4.5 11V8M8 11V4M11.5 11V6.5" />,
  print: <path d="M4.5 6V2.500h7V6M4.5 11.500h-2v-5h11v5h-2M4.5 9.500h7v4h-7z" />,
  star: <path d="m8 2.3 1.8 3.6 4 .6-2.9 2.8.7 4L8 11.400l-3.6 1.9.7-4L2.2 6.500l4-.6z" />,
  external: <path d="M6.5 3.500h-3v9h9v-3M9 2.500h4.500V7M13.5 2.5 7.5 8.5" />,
  rail: (
    <>
      <rect x="2" y="3" width="12" height="10" rx="1.5" />
      <path d="M10 3v10" />
    </>
  ),
  columns: (
    <>
      <rect x="2" y="3" width="12" height="10" rx="1" />
      <path d="M6 3v10M10 3v10" />
    </>
  ),
  error: <path d="M5.3 2h5.400L14 5.300v5.400L10.7 14H5.300L2 10.700V5.300zM8 5v3.500M8 10.800v.1" />,
  book: <path d="M3 2.500h8.500a1 1 0 0 1 1 1v10H4a1.5 1.5 0 0 1 0-3h8.500M3 2.500V12" />,
  link: (
    <path d="M6.5 9.500a2.7 2.7 0 0 0 3.900.1l2.300-2.300a2.7 2.7 0 0 0-3.800-3.800L7.800 4.600M9.5 6.500a2.7 2.7 0 0 0-3.900-.1L3.300 8.700a2.7 2.7 0 0 0 3.800 3.800l1.100-1.100" />
  ),
  expand: <path d="M9.5 2.500h4v4M13.5 2.5l-4.300 4.300M6.5 13.500h-4v-4M2.5 13.5l4.300-4.300" />,
  shrink: <path d="M13.5 6.500h-4v-4M9.5 6.5l4.300-4.300M2.5 9.500h4v4M6.5 9.5l-4.300 4.300" />,
  paste: <path d="M5.5 3.500h-2v10h9v-10h-2M5.5 2.500h5v2.500h-5zM8 7v4M6.3 9.300 8 11l1.700-1.700" />,
  toTop: <path d="M3.5 3h9M8 13V6M4.500 9 8 5.500 11.500 9" />,
} satisfies Record<string, ReactNode>;

export type IconName = keyof typeof shapes;

export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      style={{ flex: 'none' }}
    >
      {shapes[name]}
    </svg>
  );
}
