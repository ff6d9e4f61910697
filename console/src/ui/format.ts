/** Numbers, sizes and times as people read them. */
import type { Translate } from '@/app/i18n';

const GIB = 1024 ** 3;
const MIB = 1024 ** 2;

export function formatBytes(bytes: number): string {
  if (bytes >= 1024 * GIB) return `${trim(bytes / (1024 * GIB))} TiB`;
  if (bytes >= GIB) return `${trim(bytes / GIB)} GiB`;
  if (bytes >= MIB) return `${trim(bytes / MIB)} MiB`;
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
    [Math.floor(whole / 86_400), 'time.d'],
    [Math.floor(whole / 3600) % 24, 'time.h'],
    [Math.floor(whole / 60) % 60, 'time.m'],
    [whole % 60, 'time.s'],
  ] as const;
  const first = parts.findIndex(([count]) => count > 0);
  if (first === -1) return t('time.s', { count: 0 });
  const [large = '', small] = parts
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([count, key]) => t(key, { count }));
  return small === undefined ? large : t('time.two', { large, small });
}

const STEPS: [limit: number, seconds: number, unit: Intl.RelativeTimeFormatUnit][] = [
  [3600, 60, 'minute'],
  [86_400, 3600, 'hour'],
  [30 * 86_400, 86_400, 'day'],
  [365 * 86_400, 30 * 86_400, 'month'],
  [Number.POSITIVE_INFINITY, 365 * 86_400, 'year'],
];

export function formatAgo(then: number, now: number, locale: string, t: Translate): string {
  const seconds = (then - now) / 1000;
  const distance = Math.abs(seconds);
  if (distance < 45) return t('time.now');
  const [, size, unit] = STEPS.find(([limit]) => distance < limit) ?? STEPS[0]!;
  const amount = Math.sign(seconds) * Math.max(1, Math.floor(distance / size));
  return relative(locale).format(amount, unit);
}

export function formatExact(then: number, locale: string): string {
  return exact(locale).format(then);
}

/** A log line's time: local, with milliseconds. */
export function formatClock(then: number): string {
  const date = new Date(then);
  const clock = [date.getHours(), date.getMinutes(), date.getSeconds()].map((part) => String(part).padStart(2, '0'));
  return `${clock.join(':')}.${String(date.getMilliseconds()).padStart(3, '0')}`;
}

const relative = memo((locale) => new Intl.RelativeTimeFormat(locale, { numeric: 'always', style: 'short' }));
const exact = memo((locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' }));

/** Formatters are dear to make and cheap to use. */
function memo<T>(make: (locale: string) => T): (locale: string) => T {
  const made = new Map<string, T>();
  return (locale) => {
    const known = made.get(locale);
    if (known !== undefined) return known;
    const fresh = make(locale);
    made.set(locale, fresh);
    return fresh;
  };
}
