/** Times: relative on the page, exact on hover; always in the person's time zone. */
import { useLocale, useT, type MessageKey } from '@/app/i18n';
import { useTimeZone } from '@/app/time-zone';
import { useNow } from './clock';
import { formatAgo, formatDuration, formatExact, formatZoned } from './format';

/** How long ago; `said` is the sentence around it, as languages put what happened before the time or after it. */
export function Ago({ at, said }: { at: string; said?: MessageKey }) {
  const t = useT();
  const now = useNow(15_000);
  const then = Date.parse(at);
  const when = formatAgo(then, now, t);
  return (
    <time dateTime={at} title={useZoned(then)}>
      {said ? t(said, { when }) : when}
    </time>
  );
}

export function Exact({ at }: { at: string }) {
  const t = useT();
  const locale = useLocale();
  const zone = useTimeZone();
  const now = useNow(15_000);
  const then = Date.parse(at);
  const title = `${formatAgo(then, now, t)} · ${formatZoned(then, locale, zone)}`;
  return (
    <time dateTime={at} title={title}>
      {formatExact(then, locale, zone)}
    </time>
  );
}

/** From one moment to another, or to now: then it ticks. */
export function Duration({ from, to }: { from: string; to?: string | null }) {
  return to ? <Span from={from} until={Date.parse(to)} /> : <Ticking from={from} />;
}

function Ticking({ from }: { from: string }) {
  return <Span from={from} until={useNow()} />;
}

function Span({ from, until }: { from: string; until: number }) {
  const t = useT();
  const start = Date.parse(from);
  return <span title={useZoned(start)}>{formatDuration((until - start) / 1000, t)}</span>;
}

function useZoned(then: number): string {
  return formatZoned(then, useLocale(), useTimeZone());
}
