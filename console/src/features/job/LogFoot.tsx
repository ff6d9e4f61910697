/** How much of a log is on the page, and whether it is live. */
import { useT } from '@/app/i18n';
import type { Log } from './useLog';
import style from './Logs.module.css';

/** `found`: how many lines match, where only those are shown. */
export function LogFoot({ log, found }: { log: Log; found: number | null }) {
  const t = useT();
  const count = found ?? log.lines.length;
  const live = !log.ended && !log.detached && log.connected;
  const words = log.detached ? t('log.detached') : log.ended ? t('log.end') : log.connected ? t('log.live') : t('log.reconnecting');
  return (
    <div className={style.foot}>
      <span>{log.hasEarlier && !log.detached && found === null ? t('log.lastLines', { count }) : t('log.lines', { count })}</span>
      {log.status === 'ready' && <span data-live={live || undefined} className={style.liveWord}>{words}</span>}
    </div>
  );
}
