/** Asks before a rule goes; a refusal says what still needs it. Load it lazily: few come to the question. */
import type { QueryKey } from '@tanstack/react-query';
import { ruleKeys } from '@/api/rules/keys';
import { useT } from '@/app/i18n';
import { useSave } from '@/parts/useSave';
import { FormDialog } from '@/ui/dialog/FormDialog';

interface Props {
  name: string;
  /** The question, where the name alone does not say what goes. */
  title?: string;
  /** What that means for others. */
  text: string;
  remove: (name: string) => Promise<unknown>;
  /** What is asked for again. */
  stale?: QueryKey;
  onClose: () => void;
}

export default function RemoveRule({ name, title, text, remove, stale = ruleKeys.all, onClose }: Props) {
  const t = useT();
  const removal = useSave({
    save: () => remove(name),
    close: onClose,
    said: t('list.removed', { name }),
    invalidate: [stale],
  });
  return (
    <FormDialog
      danger
      size={440}
      title={title ?? t('list.removeTitle', { name })}
      action={t('action.remove')}
      busy={removal.isPending}
      error={removal.error}
      onSubmit={() => removal.mutate()}
      onClose={onClose}
    >
      <p>{text}</p>
    </FormDialog>
  );
}
