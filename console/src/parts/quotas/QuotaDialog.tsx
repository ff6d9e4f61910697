/** Tells that a job was not started for a quota. Load it lazily: few come to it. */
import type { Shortfall } from '@/api/types';
import { useT } from '@/app/i18n';
import { Dialog } from '@/ui/dialog/Dialog';
import QuotaNotice from './QuotaNotice';

interface Props {
  name: string;
  shortfalls: readonly Shortfall[];
  onClose: () => void;
}

export default function QuotaDialog({ name, shortfalls, onClose }: Props) {
  const t = useT();
  return (
    <Dialog title={t('quota.notStarted', { name })} size={520} onClose={onClose}>
      <QuotaNotice shortfalls={shortfalls} />
    </Dialog>
  );
}
