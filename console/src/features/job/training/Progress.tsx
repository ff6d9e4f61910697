/** How far and how fast the training goes, and what seems to hold it up. */
import type { JobMetrics } from '@/api/metrics';
import { useLocale, useSentence, useT } from '@/app/i18n';
import type { Translate } from '@/app/i18n';
import { Notice } from '@/ui/page/Panel';
import { broken } from '@/parts/metrics/charts';
import { formatMetric } from '@/parts/metrics/format';
import style from './Metrics.module.css';

const MOST_NAMED = 3;

export function Progress({ metrics, active }: { metrics: JobMetrics; active: boolean }) {
  const t = useT();
  const say = useSentence();
  const locale = useLocale();
  const { latest_step: step, throughput, gpu, hint } = metrics;
  const wrong = broken(metrics);
  return (
    <>
      <dl className={style.progress}>
        {step !== null && <Figure name={t('metrics.step')} value={step.toLocaleString(locale)} />}
        {throughput.steps_per_second !== null && (
          <Figure name={active ? t('metrics.throughput') : t('metrics.throughputOverall')} value={speed(throughput.steps_per_second, t)} />
        )}
        {gpu.busy !== null && <Figure name={t('plots.busy')} value={`${Math.round(gpu.busy)} %`} />}
      </dl>
      {wrong.length > 0 && (
        <Notice
          tone="amber"
          icon="warning"
          title={t('metrics.broken', {
            names: wrong
              .slice(0, MOST_NAMED)
              .map(({ name }) => name)
              .join(', '),
            more: Math.max(0, wrong.length - MOST_NAMED),
          })}
        >
          {t('metrics.brokenText', { step: wrong[0]!.last.step.toLocaleString(locale) })}
        </Notice>
      )}
      {hint && <Notice tone="grey" icon="bulb" title={say(hint)} />}
    </>
  );
}

function Figure({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

/** Slow steps are told by how long each takes. */
function speed(perSecond: number, t: Translate): string {
  if (perSecond >= 0.1 || perSecond <= 0) return t('metrics.perSecond', { count: formatMetric(Number(perSecond.toPrecision(3))) });
  return t('metrics.secondsEach', { count: formatMetric(Number((1 / perSecond).toPrecision(3))) });
}
