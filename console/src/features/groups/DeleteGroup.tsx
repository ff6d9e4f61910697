/** Asks before a group is deleted. */
import { useNavigate } from '@tanstack/react-router';
import { deleteGroup, groupKeys } from '@/api/groups';
import type { GroupDetail } from '@/api/groups';
import { userKeys } from '@/api/people';
import { useT } from '@/app/i18n';
import { useSave } from '@/parts/useSave';
import { FormDialog } from '@/ui/dialog/FormDialog';

export default function DeleteGroup({ group: { name, members }, onClose }: { group: GroupDetail; onClose: () => void }) {
  const t = useT();
  const navigate = useNavigate();
  const remove = useSave({
    save: () => deleteGroup(name),
    said: t('groups.deleted', { name }),
    gone: { forget: groupKeys.one(name), leave: () => navigate({ to: '/groups' }) },
    invalidate: [groupKeys.all, userKeys.all],
  });
  return (
    <FormDialog
      title={t('groups.deleteTitle', { name })}
      action={t('groups.delete')}
      danger
      busy={remove.isPending}
      error={remove.error}
      size={440}
      onSubmit={() => remove.mutate()}
      onClose={onClose}
    >
      <p>{t('groups.deleteText', { count: members })}</p>
    </FormDialog>
  );
}
