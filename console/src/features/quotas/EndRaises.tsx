/** Asks before raises end early. Load it lazily: few come to the question. */
import { ruleKeys } from '@/api/rules/keys';
import { endRaises } from '@/api/rules/quotas';
import { useT } from '@/app/i18n';
import { useSave } from '@/parts/useSave';
import { FormDialog } from '@/ui/dialog/FormDialog';
import { called } from './words';

export default function EndRaises({ name: quota, onClose }: { name: string; onClose: () => void }) {
  const t = useT();
  const name = called(quota, t);
  const end = useSave({
    save: () => endRaises(quota),
    close: onClose,
    said: t('quotas.raisesEnded', { name }),
    invalidate: [ruleKeys.all],
  });
  return (
    <FormDialog
      danger
      size={440}
      title={t('quotas.endName', { name })}
      action={t('quotas.endRaises')}
      busy={end.isPending}
      error={end.error}
      onSubmit={() => end.mutate()}
      onClose={onClose}
    >
      <p>{t('quotas.endText')}</p>
    </FormDialog>
  );
}
