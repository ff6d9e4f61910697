/** Taking a request of one's own back. */
import { keys } from '@/api/keys';
import { withdrawRequest } from '@/api/requests';
import type { AccessRequest } from '@/api/types';
import { useT } from '@/app/i18n';
import { useSave } from '@/parts/useSave';
import Confirm from '@/ui/dialog/Confirm';

export default function WithdrawRequest({ request: { id }, onClose }: { request: AccessRequest; onClose: () => void }) {
  const t = useT();
  const withdraw = useSave({
    save: () => withdrawRequest(id),
    close: onClose,
    invalidate: [keys.requests],
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
