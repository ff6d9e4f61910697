/** The GPUs of a cluster by model: used by jobs, used by others, free. */
import type { Cluster } from '@/api/clusters';
import { useT } from '@/app/i18n';
import { formatCount } from '@/ui/words/format';
import ink from '@/ui/theme/ink.module.css';
import style from './Clusters.module.css';

export function GpuBars({ gpus }: Pick<Cluster, 'gpus'>) {
  const t = useT();
  if (gpus.length === 0) return <span className={ink.fine}>{t('clusters.noGpus')}</span>;
  return (
    <ul className={style.bars}>
      {gpus.map(({ model, used, others, total }) => (
        <li key={model} className={style.barRow}>
          <strong>{model}</strong>
          <span
            className={style.bar}
            role="img"
            aria-label={t('clusters.gpuBar', { model, used: formatCount(used), others, total })}
            title={t('clusters.gpuBar', { model, used: formatCount(used), others, total })}
          >
            <i className={style.used} style={{ width: percent(used, total) }} />
            <i className={style.others} style={{ width: percent(others, total) }} />
          </span>
          <span className={ink.fine} aria-hidden="true">
            {formatCount(used + others)} / {total}
            {others > 0 && ` · ${t('nodes.others', { amount: formatCount(others) })}`}
          </span>
        </li>
      ))}
    </ul>
  );
}

function percent(part: number, total: number): string {
  return `${total > 0 ? Math.min(100, (part / total) * 100) : 0}%`;
}
