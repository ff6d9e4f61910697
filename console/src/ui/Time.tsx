/** Times: relative on the page, exact on hover. */
import { useLocale, useT } from '@/app/i18n';
import { useNow } from './clock';
import { formatAgo, formatDuration, formatExact } from './format';

export function Ago({ at }: { at: string }) {
  const t = useT();
  const locale = useLocale();
  const now = useNow(15_000);
  const then = Date.parse(at);
  return (
    <time dateTime={at} title={formatExact(then, locale)}>
      {formatAgo(then, now, locale, t)}
    </time>
  );
}

export function Exact({ at }: { at: string }) {
  const locale = useLocale();
  const t = useT();
  const now = useNow(15_000);
  const then = Date.parse(at);
  return (
    <time dateTime={at} title={formatAgo(then, now, locale, t)}>
      {formatExact(then, locale)}
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
  const locale = useLocale();
  const start = Date.parse(from);
  return <span title={formatExact(start, locale)}>{formatDuration((until - start) / 1000, t)}</span>;
}
