/** One menu for the whole table, opened beside the row whose button was pressed. */
import { useQuery } from '@tanstack/react-query';
import { getJob, jobKeys, titleOf } from '@/api/jobs';
import type { JobRow } from '@/api/jobs';
import { useT } from '@/app/i18n';
import { AnchoredMenu } from '@/ui/menu/AnchoredMenu';
import { MenuItem, MenuNote } from '@/ui/menu/Dropdown';
import { likely, LOOKS, offered } from './actions';
import type { JobAction } from './actions';

export interface OpenMenu {
  job: JobRow;
  button: HTMLElement;
}

interface Props {
  open: OpenMenu;
  onClose: () => void;
  onAction: (action: JobAction, job: JobRow) => void;
}

export default function RowMenu({ open: { job, button }, onClose, onAction }: Props) {
  const t = useT();
  const detail = useQuery({ queryKey: jobKeys.detail(job.id), queryFn: ({ signal }) => getJob(job.id, signal) });
  const actions = detail.data ? offered(detail.data.actions, detail.data.state) : likely(job.state);
  return (
    <AnchoredMenu button={button} label={t('jobs.actionsFor', { name: titleOf(job) })} onClose={onClose}>
      {actions.map((action) => (
        <MenuItem key={action} icon={LOOKS[action].icon} danger={action === 'delete'} onChoose={() => onAction(action, job)}>
          {t(LOOKS[action].label)}
        </MenuItem>
      ))}
      {actions.length === 0 && <MenuNote>{t('jobs.noActions')}</MenuNote>}
    </AnchoredMenu>
  );
}
