/** Asks before an account is deleted. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { keys } from '@/api/keys';
import { deleteUser } from '@/api/people';
import type { User } from '@/api/types';
import { useT } from '@/app/i18n';
import { notify } from '@/app/notify';
import { FormDialog } from '@/ui/dialog/FormDialog';

interface Props {
  user: User;
  onDeleted?: (() => void) | undefined;
  onClose: () => void;
}

export default function DeleteUser({ user: { name }, onDeleted, onClose }: Props) {
  const t = useT();
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: () => deleteUser(name),
    onSuccess: async () => {
      onClose();
      notify({ message: t('people.deleted', { name }) });
      onDeleted?.();
      client.removeQueries({ queryKey: keys.userDetail(name) });
      await Promise.all([keys.users, keys.groups].map((queryKey) => client.invalidateQueries({ queryKey })));
    },
  });
  return (
    <FormDialog title={t('people.deleteTitle', { name })} action={t('people.delete')} danger busy={remove.isPending} error={remove.error} size={440} onSubmit={() => remove.mutate()} onClose={onClose}>
      <p>{t('people.deleteText')}</p>
    </FormDialog>
  );
}
