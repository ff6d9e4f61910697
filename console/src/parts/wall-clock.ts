/** Moments as date inputs write them: the wall clock of the person's time zone, `2026-05-01T18:00`. */
import { timeZone } from '@/app/time-zone';

const MINUTE = 60_000;

export function toWall(at: string | number, zone = timeZone()): string {
  return new Date(wallMillis(typeof at === 'number' ? at : Date.parse(at), zone)).toISOString().slice(0, 16);
}

/** The moment at which that clock shows this; empty where it is no date. */
export function fromWall(text: string, zone = timeZone()): string {
  const wanted = Date.parse(`${text}Z`);
  if (Number.isNaN(wanted)) return '';
  // Twice: the first try may fall on the other side of a change of the clocks.
  const near = wanted - (wallMillis(wanted, zone) - wanted);
  return new Date(wanted - (wallMillis(near, zone) - near)).toISOString();
}

/** What the clock shows, as if that were UTC. */
function wallMillis(at: number, zone: string | undefined): number {
  const form = new Intl.DateTimeFormat('en', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  });
  const parts = Object.fromEntries(form.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  return Date.UTC(parts.year!, parts.month! - 1, parts.day, parts.hour, parts.minute) + (at % MINUTE);
}
