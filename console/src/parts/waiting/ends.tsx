/** When what somebody holds is free again: as they expect it, and at the latest. */
import type { Holder } from '@/api/queue';
import type { Translate } from '@/app/i18n';
import { useLocale, useT } from '@/app/i18n';
import { useNow } from '@/ui/words/clock';
import { formatDuration, formatZoned } from '@/ui/words/format';

type Ending = Pick<Holder, 'state' | 'expected_end' | 'latest_end'>;

/** Seconds from now, or undefined where nobody said or the moment has passed. */
function left(at: string | null, now: number): number | undefined {
  const seconds = at === null ? 0 : (Date.parse(at) - now) / 1000;
  return seconds > 0 ? seconds : undefined;
}

/** In few words: the likely end, or that none is known. */
export function endInWords({ state, expected_end: expected, latest_end: latest }: Ending, now: number, t: Translate): string {
  if (state === 'stopping') return t('hold.ending');
  const [soon, last] = [left(expected, now), left(latest, now)];
  if (soon !== undefined) return t('hold.expected', { span: rough(soon, t) });
  if (last !== undefined) return t(expected === null ? 'hold.latest' : 'hold.overdueLatest', { span: rough(last, t) });
  return t(expected === null ? 'hold.open' : 'hold.overdue');
}

/** Seconds do not matter an hour ahead. */
function rough(seconds: number, t: Translate): string {
  return formatDuration(seconds >= 3600 ? Math.round(seconds / 60) * 60 : seconds >= 120 ? Math.round(seconds / 10) * 10 : seconds, t);
}

export function Ends({ holder }: { holder: Ending }) {
  const t = useT();
  const locale = useLocale();
  const now = useNow(5_000);
  const { expected_end: expected, latest_end: latest } = holder;
  const said = [
    expected && t('hold.expectedAt', { at: formatZoned(Date.parse(expected), locale) }),
    latest && t('hold.latestAt', { at: formatZoned(Date.parse(latest), locale) }),
  ].filter(Boolean);
  return <span title={said.join('\n') || t('hold.openText')}>{endInWords(holder, now, t)}</span>;
}
