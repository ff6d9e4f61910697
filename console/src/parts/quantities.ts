/** Sizes and times as job files write them: `64GiB`, `1h30m`. */

const SIZE_UNITS: Record<string, number> = {
  '': 1,
  B: 1,
  KB: 1e3,
  MB: 1e6,
  GB: 1e9,
  TB: 1e12,
  KIB: 2 ** 10,
  MIB: 2 ** 20,
  GIB: 2 ** 30,
  TIB: 2 ** 40,
  K: 2 ** 10,
  M: 2 ** 20,
  G: 2 ** 30,
  T: 2 ** 40,
  KI: 2 ** 10,
  MI: 2 ** 20,
  GI: 2 ** 30,
  TI: 2 ** 40,
};
const TIME_UNITS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** What a task gets that asks for none, as the server has it. */
export const DEFAULT_MEMORY = 2 * 2 ** 30;

/** Bytes, or null where it is no size. */
export function parseSize(text: string): number | null {
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?)\s*([A-Za-z]*)$/.exec(text.trim()) ?? [];
  const factor = SIZE_UNITS[unit.toUpperCase()];
  return number === undefined || factor === undefined ? null : Math.round(Number(number) * factor);
}

/** Milliseconds of what a file or the server writes, or null where it is no time. */
export function parseTime(text: unknown): number | null {
  if (typeof text !== 'string') return null;
  const compact = text.replaceAll(/\s+/g, '');
  const parts = [...compact.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d|w)/g)];
  if (parts.length === 0 || parts.map(([whole]) => whole).join('') !== compact) return null;
  return parts.reduce((sum, [, number, unit]) => sum + Number(number) * TIME_UNITS[unit!]!, 0);
}

/** The largest whole unit: exact for what machines have, and what a person would write. */
export function writeSize(bytes: number): string {
  for (const unit of ['TiB', 'GiB', 'MiB'] as const) {
    const factor = SIZE_UNITS[unit.toUpperCase()]!;
    if (bytes >= factor && (bytes % factor === 0 || unit === 'MiB')) return `${Math.floor(bytes / factor)}${unit}`;
  }
  return `${bytes}B`;
}

/** `8`, `0.5`: what may be written without quotes; anything else is left as the text it is. */
export function writeNumber(text: string): number | string {
  const trimmed = text.trim();
  return /^-?\d*\.?\d+\.?$/.test(trimmed) ? Number(trimmed) : trimmed;
}
