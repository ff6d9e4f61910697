/** The plot's future in figures: what is left of the score after T, 2 T and 4 T. */
import { useT } from '@/app/i18n';
import { formatCount, formatDuration } from '@/ui/words/format';
import { fading, MARKS, scoreLater } from './curve';
import type { Course } from './curve';
import { formatScore } from './words';
import ink from '@/ui/theme/ink.module.css';
import style from './Scores.module.css';

export function Outlook({ course, own }: { course: Course; own: boolean }) {
  const t = useT();
  const { now, held, scoreTime } = course;
  const after = MARKS.map((count) => ({ count, at: now + count * scoreTime }));
  const lines = [{ label: t('score.unused'), amount: 0 }];
  if (held > 0)
    lines.push({
      label: `${own ? t('score.youKeep') : t('score.theyKeep')} (${t('score.held', { count: formatCount(held) })})`,
      amount: held,
    });
  return (
    <table className={style.outlook}>
      <thead>
        <tr>
          <th scope="col">{t('score.in')}</th>
          {after.map(({ count }) => (
            <th key={count} scope="col">
              {formatDuration((count * scoreTime) / 1000, t)} <span className={ink.fine}>({count === 1 ? 'T' : `${count} T`})</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {lines.map(({ label, amount }) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            {after.map(({ count, at }) => (
              <td key={count}>{formatScore(scoreLater(course, at, amount))}</td>
            ))}
          </tr>
        ))}
        <tr>
          <th scope="row">{t('score.left')}</th>
          {after.map(({ count }) => (
            <td key={count}>{Math.round(fading(count, 1) * 100)} %</td>
          ))}
        </tr>
      </tbody>
    </table>
  );
}
