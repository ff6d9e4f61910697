/** Asks before a group is deleted. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { keys } from '@/api/keys';
import { deleteGroup } from '@/api/people';
import type { GroupDetail } from '@/api/types';
import { useT } from '@/app/i18n';
import { notify } from '@/app/notify';
import { FormDialog } from '@/ui/dialog/FormDialog';

export default function DeleteGroup({ group: { name, members }, onClose }: { group: GroupDetail; onClose: () => void }) {
  const t = useT();
  const client = useQueryClient();
  const navigate = useNavigate();
  const remove = useMutation({
    mutationFn: () => deleteGroup(name),
    onSuccess: async () => {
      notify({ message: t('groups.deleted', { name }) });
      await navigate({ to: '/groups' });
      client.removeQueries({ queryKey: keys.groupDetail(name) });
      await Promise.all([keys.groups, keys.users].map((queryKey) => client.invalidateQueries({ queryKey })));
    },
  });
  return (
    <FormDialog title={t('groups.deleteTitle', { name })} action={t('groups.delete')} danger busy={remove.isPending} error={remove.error} size={440} onSubmit={() => remove.mutate()} onClose={onClose}>
      <p>{t('groups.deleteText', { count: members })}</p>
    </FormDialog>
  );
}
