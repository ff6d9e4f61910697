/** Asks before a rule goes; a refusal says what still needs it. Load it lazily: few come to the question. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { keys } from '@/api/keys';
import { useT } from '@/app/i18n';
import { notify } from '@/app/notify';
import { FormDialog } from '@/ui/dialog/FormDialog';

interface Props {
  name: string;
  /** What that means for others. */
  text: string;
  remove: (name: string) => Promise<unknown>;
  onClose: () => void;
}

export default function RemoveRule({ name, text, remove, onClose }: Props) {
  const t = useT();
  const client = useQueryClient();
  const removal = useMutation({
    mutationFn: () => remove(name),
    onSuccess: async () => {
      onClose();
      notify({ message: t('list.removed', { name }) });
      await client.invalidateQueries({ queryKey: keys.rules });
    },
  });
  return (
    <FormDialog danger size={440} title={t('list.removeTitle', { name })} action={t('action.remove')} busy={removal.isPending} error={removal.error} onSubmit={() => removal.mutate()} onClose={onClose}>
      <p>{text}</p>
    </FormDialog>
  );
}
