/** Numbers, sizes and times as people read them. */
import type { Translate } from '@/app/i18n';
import { timeZone } from '@/app/time-zone';

const GIB = 1024 ** 3;
const MIB = 1024 ** 2;

export function formatBytes(bytes: number): string {
  // What rounds up to the next unit is said in it: 1 TiB, not 1024 GiB.
  if (bytes >= 1023.5 * GIB) return `${trim(bytes / (1024 * GIB))} TiB`;
  if (bytes >= 1023.5 * MIB) return `${trim(bytes / GIB)} GiB`;
  if (bytes >= 1023.5 * 1024) return `${trim(bytes / MIB)} MiB`;
  if (bytes >= 1024) return `${trim(bytes / 1024)} KiB`;
  return `${bytes} B`;
}

/** At most one decimal below 100, none above. */
export function trim(value: number): string {
  const rounded = value >= 100 ? Math.round(value) : Math.round(value * 10) / 10;
  return String(rounded);
}

/** GPUs may be fractions of one: up to three decimals. */
export function formatCount(value: number): string {
  return String(Math.round(value * 1000) / 1000);
}

/** Indices in short: 0, 1, 2, 5 become "0–2, 5". */
export function ranges(numbers: number[]): string {
  const sorted = numbers.toSorted((a, b) => a - b);
  const parts: [first: number, last: number][] = [];
  for (const number of sorted) {
    const open = parts.at(-1);
    if (open && number === open[1] + 1) open[1] = number;
    else parts.push([number, number]);
  }
  return parts.map(([first, last]) => (first === last ? `${first}` : `${first}–${last}`)).join(', ');
}

/** The two largest units: "3d 4h", "2h 5m", "12m 30s", "8s". */
export function formatDuration(seconds: number, t: Translate): string {
  const whole = Math.max(0, Math.floor(seconds));
  const parts = [
    [Math.floor(whole / DAY), 'time.d'],
    [Math.floor(whole / HOUR) % 24, 'time.h'],
    [Math.floor(whole / MINUTE) % 60, 'time.m'],
    [whole % 60, 'time.s'],
  ] as const;
  const first = parts.findIndex(([count]) => count > 0);
  if (first === -1) return t('time.s', { count: 0 });
  return parts
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([count, key]) => t(key, { count }))
    .join(' ');
}

const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;
const NEAR = 45;
/** Clocks of two machines are never quite the same, and that of the page moves in steps of 15 seconds. */
const SKEW = 20;

const STEPS = [
  [HOUR, MINUTE, 'time.m'],
  [DAY, HOUR, 'time.h'],
  [30 * DAY, DAY, 'time.d'],
  [365 * DAY, 30 * DAY, 'time.mo'],
  [Number.POSITIVE_INFINITY, 365 * DAY, 'time.y'],
] as const;

/** How far a moment is from now, in its largest unit: "5m ago", "in 2h". */
export function formatAgo(then: number, now: number, t: Translate): string {
  const ahead = (then - now) / 1000;
  const distance = Math.abs(ahead);
  if (distance < NEAR) return ahead > SKEW ? t('time.soon') : t('time.now');
  const [, size, key] = STEPS.find(([limit]) => distance < limit) ?? STEPS[0];
  const span = t(key, { count: Math.max(1, Math.floor(distance / size)) });
  return ahead < 0 ? t('time.ago', { span }) : t('time.in', { span });
}

/** Date and time in the person's time zone. */
export function formatExact(then: number, locale: string, zone = timeZone()): string {
  return exact(locale, zone).format(then);
}

/** Date and time with the name of the zone, for where one must be certain. */
export function formatZoned(then: number, locale: string, zone = timeZone()): string {
  return zoned(locale, zone).format(then);
}

/** A log line's time in the person's time zone, with milliseconds. */
export function formatClock(then: number, zone = timeZone()): string {
  return clock('en', zone).format(then);
}

const MOMENT = {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
} as const;
const exact = formatter(MOMENT);
const zoned = formatter({ ...MOMENT, timeZoneName: 'short' });
const clock = formatter({ hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3, hourCycle: 'h23' });

/** Formatters are dear to make and cheap to use. */
function formatter(options: Intl.DateTimeFormatOptions): (locale: string, zone: string | undefined) => Intl.DateTimeFormat {
  const made = new Map<string, Intl.DateTimeFormat>();
  return (locale, zone) => {
    const key = `${locale} ${zone ?? ''}`;
    const known = made.get(key) ?? new Intl.DateTimeFormat(locale, { ...options, timeZone: zone });
    made.set(key, known);
    return known;
  };
}
