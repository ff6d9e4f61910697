/** The checkpoint from which the job would go on. */
import type { Saved } from '@/api/jobs';
import { useLocale, useT } from '@/app/i18n';
import { Copy } from '@/ui/words/clipboard';
import { Icon } from '@/ui/icons';
import { Ago } from '@/ui/words/Time';
import style from './Checkpoint.module.css';

export function CheckpointLine({ saved }: { saved: Saved }) {
  const t = useT();
  const locale = useLocale();
  return (
    <p className={style.line}>
      <Icon name="pools" size={14} />
      <span>{saved.step === null ? t('checkpoint.saved') : t('checkpoint.ofStep', { step: saved.step.toLocaleString(locale) })}</span>
      <span aria-hidden="true">·</span>
      <Ago at={saved.at} />
      <span className={style.path} title={saved.path}>
        {saved.path}
      </span>
      <Copy text={saved.path} label={t('checkpoint.copy')} size={20} />
    </p>
  );
}
