/** Asks before an account is deleted. */
import { groupKeys } from '@/api/groups';
import { deleteUser, userKeys } from '@/api/people';
import type { User } from '@/api/people';
import { useT } from '@/app/i18n';
import { useSave } from '@/parts/useSave';
import { FormDialog } from '@/ui/dialog/FormDialog';

interface Props {
  user: User;
  onDeleted?: (() => void) | undefined;
  onClose: () => void;
}

export default function DeleteUser({ user: { name }, onDeleted, onClose }: Props) {
  const t = useT();
  const remove = useSave({
    save: () => deleteUser(name),
    close: onClose,
    said: t('people.deleted', { name }),
    gone: { forget: userKeys.one(name), leave: onDeleted },
    invalidate: [userKeys.all, groupKeys.all],
  });
  return (
    <FormDialog
      title={t('people.deleteTitle', { name })}
      action={t('people.delete')}
      danger
      busy={remove.isPending}
      error={remove.error}
      size={440}
      onSubmit={() => remove.mutate()}
      onClose={onClose}
    >
      <p>{t('people.deleteText')}</p>
    </FormDialog>
  );
}
