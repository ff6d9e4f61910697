/** Taking a request of one's own back. */
import { requestKeys, withdrawRequest } from '@/api/requests';
import type { AccessRequest } from '@/api/requests';
import { useT } from '@/app/i18n';
import { useSave } from '@/parts/useSave';
import Confirm from '@/ui/dialog/Confirm';

export default function WithdrawRequest({ request: { id }, onClose }: { request: AccessRequest; onClose: () => void }) {
  const t = useT();
  const withdraw = useSave({
    save: () => withdrawRequest(id),
    close: onClose,
    invalidate: [requestKeys.all],
    failed: t('requests.withdrawFailed'),
  });
  return (
    <Confirm
      title={t('requests.withdrawTitle')}
      text={t('requests.withdrawText')}
      action={t('requests.withdraw')}
      busy={withdraw.isPending}
      onConfirm={() => withdraw.mutate()}
      onClose={onClose}
    />
  );
}
