/** How much of a log is on the page, and whether it is live. */
import { Button } from '@mantine/core';
import { useT } from '@/app/i18n';
import type { MessageKey } from '@/app/i18n';
import type { Log } from './useLog';
import style from './Logs.module.css';

/** What is on the page is not always all there is. */
function countWords({ hasEarlier, detached }: Log, found: number | null): MessageKey {
  if (found !== null) return 'log.lines';
  if (detached) return 'log.loadedLines';
  return hasEarlier ? 'log.lastLines' : 'log.lines';
}

/** `found`: how many lines match, where only those are shown. */
export function LogFoot({ log, found }: { log: Log; found: number | null }) {
  const t = useT();
  const count = found ?? log.lines.length;
  const live = !log.ended && !log.detached && log.connected && log.refused === null;
  const words = log.detached ? t('log.detached') : log.ended ? t('log.end') : log.connected ? t('log.live') : t('log.reconnecting');
  if (log.refused !== null) {
    return (
      <div className={style.foot} role="alert">
        <span>{t('log.refused', { sentence: log.refused })}</span>
        <Button variant="default" size="compact-xs" onClick={() => void log.store.open()}>
          {t('action.retry')}
        </Button>
      </div>
    );
  }
  return (
    <div className={style.foot}>
      <span>{t(countWords(log, found), { count })}</span>
      {log.status === 'ready' && (
        <span data-live={live || undefined} className={style.liveWord}>
          {words}
        </span>
      )}
    </div>
  );
}
