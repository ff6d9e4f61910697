/** Where nothing was told yet: how a training tells its metrics. */
import { useT } from '@/app/i18n';
import { Copy } from '@/ui/words/clipboard';
import { EmptyState } from '@/ui/page/States';
import style from './Metrics.module.css';

const LINES = 'import danlu\n\ndanlu.log(step, loss=loss)';

export function HowToLog({ active }: { active: boolean }) {
  const t = useT();
  return (
    <div className={style.howTo}>
      <EmptyState icon="score" title={active ? t('metrics.none') : t('metrics.noneTold')}>
        {t('metrics.noneText')}
      </EmptyState>
      <div className={style.code}>
        <pre>{LINES}</pre>
        <Copy text={LINES} label={t('metrics.copyLines')} />
      </div>
      <p className={style.quiet}>{t('metrics.tensorboard')}</p>
    </div>
  );
}
