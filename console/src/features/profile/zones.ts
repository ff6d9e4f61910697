/** The world's time zones, as people look for them: by city, by distance from Greenwich, by name. */

export interface Zone {
  /** The IANA name, such as `Asia/Shanghai`. */
  id: string;
  /** `GMT+8`. */
  offset: string;
  /** What the zone is called in the language of the page. */
  name: string;
}

const made = new Map<string, Zone[]>();

/** Takes its time for the first time in a language. */
export function listZones(locale: string): Zone[] {
  const known = made.get(locale);
  if (known) return known;
  const ids = new Set(['UTC', ...Intl.supportedValuesOf('timeZone')]);
  const zones = [...ids].toSorted().map((id) => ({ id, offset: part(id, 'en', 'shortOffset'), name: part(id, locale, 'long') }));
  made.set(locale, zones);
  return zones;
}

/** Every word must occur somewhere: "shang", "gmt+8", "中国". */
export function matchesZone({ id, offset, name }: Zone, typed: string): boolean {
  const text = `${id} ${id.replaceAll('_', ' ')} ${offset} ${offset.replace('GMT', 'UTC')} ${name}`.toLowerCase();
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

function part(timeZone: string, locale: string, timeZoneName: 'shortOffset' | 'long'): string {
  const parts = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName }).formatToParts();
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
}
