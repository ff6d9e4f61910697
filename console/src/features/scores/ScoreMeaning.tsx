/** What a score is and what T does to it, in plain words. */
import { Link } from '@tanstack/react-router';
import { useT } from '@/app/i18n';
import { formatDuration } from '@/ui/words/format';
import { millisOf } from './curve';
import style from './Scores.module.css';

export function ScoreMeaning({ scoreTime }: { scoreTime: string | undefined }) {
  const t = useT();
  const after = (times: number) => formatDuration((millisOf(scoreTime ?? '') * times) / 1000, t);
  return (
    <p className={style.meaning}>
      {t('score.meaning')} {scoreTime && t('score.fades', { once: after(1), twice: after(2), four: after(4) })}{' '}
      <Link to="/queue">{t('score.toQueue')}</Link>
    </p>
  );
}
