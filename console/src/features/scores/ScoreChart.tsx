/** The score over time: as it was, as it fades when nothing more is used, and where it goes when what is held is kept. */
import { useMemo } from 'react';
import { useT } from '@/app/i18n';
import LiveChart from '@/ui/chart/LiveChart';
import { linesOf, MARKS } from './curve';
import type { Course } from './curve';
import { formatScore } from './words';

export default function ScoreChart({ course, own }: { course: Course; own: boolean }) {
  const t = useT();
  const { times, past, unused, kept } = useMemo(() => linesOf(course), [course]);
  const moments = useMemo(() => {
    const marks = MARKS.map((count) => ({ at: course.now + count * course.scoreTime, label: count === 1 ? 'T' : `${count} T` }));
    return [{ at: course.now, label: t('score.now') }, ...marks];
  }, [course, t]);
  const series = useMemo(
    () => [
      { label: t('score.was'), values: past, tone: 'blue' as const },
      { label: t('score.unused'), values: unused, tone: 'grey' as const, dashed: true },
      ...(course.held > 0
        ? [{ label: own ? t('score.youKeep') : t('score.theyKeep'), values: kept, tone: 'violet' as const, dashed: true }]
        : []),
    ],
    [t, past, unused, kept, course.held, own],
  );
  return <LiveChart label={t('score.plot')} times={times} series={series} moments={moments} format={formatScore} height={260} />;
}
