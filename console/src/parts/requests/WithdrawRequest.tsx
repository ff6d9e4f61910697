/** Taking a request of one's own back. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { keys } from '@/api/keys';
import { withdrawRequest } from '@/api/requests';
import type { AccessRequest } from '@/api/types';
import { useT } from '@/app/i18n';
import { notify } from '@/app/notify';
import Confirm from '@/ui/dialog/Confirm';
import { errorText } from '@/ui/page/States';

export default function WithdrawRequest({ request: { id }, onClose }: { request: AccessRequest; onClose: () => void }) {
  const t = useT();
  const client = useQueryClient();
  const withdraw = useMutation({
    mutationFn: () => withdrawRequest(id),
    onSuccess: async () => {
      onClose();
      await client.invalidateQueries({ queryKey: keys.requests });
    },
    onError: (error) => notify({ bad: true, title: t('requests.withdrawFailed'), message: errorText(error, t) }),
  });
  return (
    <Confirm title={t('requests.withdrawTitle')} text={t('requests.withdrawText')} action={t('requests.withdraw')} busy={withdraw.isPending} onConfirm={() => withdraw.mutate()} onClose={onClose} />
  );
}
