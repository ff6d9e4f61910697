/** Our icons: 16 × 16 outlines drawn with the text's colour. */
import type { ReactNode } from 'react';

const shapes = {
  queued: <><circle cx="8" cy="8" r="6" /><path d="M8 4.5v3.5l2.3 1.5" /></>,
  starting: <circle cx="8" cy="8" r="6" strokeDasharray="2.4 2.3" />,
  running: <><circle cx="8" cy="8" r="6" /><path d="M8 2a6 6 0 0 1 0 12z" fill="currentColor" stroke="none" /></>,
  done: <path d="M3 8.5 6.5 12 13 4.5" />,
  failed: <path d="M4 4l8 8M12 4l-8 8" />,
  stopped: <rect x="4" y="4" width="8" height="8" rx="1" fill="currentColor" stroke="none" />,
  stopping: <rect x="4" y="4" width="8" height="8" rx="1" strokeDasharray="2 1.6" />,
  created: <circle cx="8" cy="8" r="5.5" />,
  preempted: <path d="M3 3v10M13 8H6M9 5 6 8l3 3" />,
  lost: <><circle cx="8" cy="8" r="6" /><path d="M6.3 6.3a1.7 1.7 0 1 1 2.3 1.7c-.5.2-.6.5-.6 1M8 11.2v.1" /></>,
  cordoned: <><circle cx="8" cy="8" r="6" /><path d="M4 8h8" /></>,
  play: <path d="M5 3.5v9l7-4.5z" />,
  stop: <rect x="4" y="4" width="8" height="8" rx="1" />,
  restart: <path d="M13 8a5 5 0 1 1-1.6-3.7M13 2v3h-3" />,
  copy: <><rect x="5.5" y="5.5" width="8" height="8" rx="1.5" /><path d="M3.5 10.5h-.3A.7.7 0 0 1 2.5 9.8V3.2a.7.7 0 0 1 .7-.7h6.6a.7.7 0 0 1 .7.7v.3" /></>,
  trash: <path d="M2.5 4.5h11M6 4.5v-2h4v2M4 4.5l.6 9h6.8l.6-9M6.7 7v4M9.3 7v4" />,
  edit: <path d="M10.5 3 13 5.5 6 12.5l-3 .5.5-3z" />,
  reset: <path d="M3 3v3.5h3.5M3.3 6.3A5 5 0 1 1 3 9" />,
  plus: <path d="M8 3v10M3 8h10" />,
  search: <><circle cx="7" cy="7" r="4.5" /><path d="m10.5 10.5 3 3" /></>,
  more: <><circle cx="3.5" cy="8" r=".8" fill="currentColor" /><circle cx="8" cy="8" r=".8" fill="currentColor" /><circle cx="12.5" cy="8" r=".8" fill="currentColor" /></>,
  down: <path d="m4 6 4 4 4-4" />,
  up: <path d="m4 10 4-4 4 4" />,
  left: <path d="M10 4 6 8l4 4" />,
  right: <path d="m6 4 4 4-4 4" />,
  follow: <path d="m4 3.5 4 4 4-4M4 8.5l4 4 4-4" />,
  download: <path d="M8 2.5v7M5 7l3 3 3-3M2.5 11v2.5h11V11" />,
  jobs: <path d="M5.5 4h8M5.5 8h8M5.5 12h8M2.5 4h.1M2.5 8h.1M2.5 12h.1" />,
  nodes: <><rect x="2.5" y="2.5" width="11" height="4.5" rx="1" /><rect x="2.5" y="9" width="11" height="4.5" rx="1" /><path d="M5 4.7h.1M5 11.2h.1" /></>,
  user: <><circle cx="8" cy="5.5" r="2.7" /><path d="M2.8 13.5c.8-2.6 2.8-3.6 5.2-3.6s4.4 1 5.2 3.6" /></>,
  globe: <><circle cx="8" cy="8" r="5.8" /><path d="M2.2 8h11.6M8 2.2c3.2 3.6 3.2 8 0 11.6C4.8 10.2 4.8 5.8 8 2.2z" /></>,
  sun: <><circle cx="8" cy="8" r="2.7" /><path d="M8 1.5v1.3M8 13.2v1.3M1.5 8h1.3M13.2 8h1.3M3.4 3.4l.9.9M11.7 11.7l.9.9M12.6 3.4l-.9.9M4.3 11.7l-.9.9" /></>,
  moon: <path d="M13.3 9.6A5.7 5.7 0 0 1 6.4 2.7a5.7 5.7 0 1 0 6.9 6.9z" />,
  signOut: <path d="M6 2.5H3v11h3M7 8h6.5M11 5.5 13.5 8 11 10.5" />,
  warning: <path d="M8 2.3 14.3 13H1.7zM8 6.5v3M8 11.3v.1" />,
  info: <><circle cx="8" cy="8" r="6" /><path d="M8 7.3V11M8 5v.1" /></>,
  bulb: <path d="M6 11.5h4M6.5 13.7h3M5.5 9.5a3.9 3.9 0 1 1 5 0c-.5.4-.6 1-.6 2H6.1c0-1-.1-1.6-.6-2z" />,
  clock: <><circle cx="8" cy="8" r="5.8" /><path d="M8 4.8V8l2.2 1.4" /></>,
  key: <><circle cx="5.5" cy="10.5" r="2.8" /><path d="m7.6 8.4 5.4-5.4M10.7 5.3l1.8 1.8" /></>,
  menu: <path d="M2.5 4.5h11M2.5 8h11M2.5 11.5h11" />,
  close: <path d="m4 4 8 8M12 4l-8 8" />,
  wrap: <path d="M2.5 4h11M2.5 8h9a2 2 0 1 1 0 4H8M9.5 10.5 8 12l1.5 1.5M2.5 12h2.5" />,
  filter: <path d="M2.5 3.5h11L9.3 8.6v4l-2.6 1v-5z" />,
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
