/** What can be done with a place in the queue: one menu for the whole table, opened beside the row whose button was pressed. */
import { useNavigate } from '@tanstack/react-router';
import { Fragment } from 'react';
import type { QueueItem } from '@/api/queue';
import type { MessageKey } from '@/app/i18n';
import { useT } from '@/app/i18n';
import { useMay } from '@/app/session';
import { AnchoredMenu } from '@/ui/menu/AnchoredMenu';
import { MenuItem, MenuLine, MenuNote } from '@/ui/menu/Dropdown';
import type { IconName } from '@/ui/icons';
import type { Line } from '../lines';
import type { QueueAction } from './useQueueActions';
import { jobName } from '../words';

export interface OpenTurnMenu {
  item: QueueItem;
  button: HTMLElement;
}

interface Props {
  open: OpenTurnMenu | null;
  /** One's own jobs that it can change turns with. */
  line: Line | undefined;
  mayPin: boolean;
  onClose: () => void;
  onMove: (item: QueueItem, to: number) => void;
  onPlace: (item: QueueItem) => void;
  onAction: (action: QueueAction, item: QueueItem) => void;
  onWhy: (job: string) => void;
}

interface Choice {
  label: MessageKey;
  icon: IconName;
  keys?: string;
  disabled?: boolean;
  danger?: boolean;
  act: () => void;
}

export function TurnMenu({ open, ...props }: Props) {
  const t = useT();
  const mayStop = useMay('job:stop');
  const navigate = useNavigate();
  if (!open) return null;
  const { item, button } = open;
  const job = item.job_id ?? '';
  const general: Choice[] = [
    { label: 'queue.why', icon: 'lost', act: () => props.onWhy(job) },
    { label: 'queue.open', icon: 'jobs', act: () => void navigate({ to: '/jobs/$job', params: { job } }) },
  ];
  const turn = item.mine && item.pinned_at === null ? movesOf(item, props) : [];
  const ruling: Choice[] = [];
  if (props.mayPin) {
    ruling.push({ label: item.pinned_at ? 'queue.pinAgain' : 'queue.pin', icon: 'pin', act: () => props.onAction('pin', item) });
    if (item.pinned_at) ruling.push({ label: 'queue.unpin', icon: 'unpin', act: () => props.onAction('unpin', item) });
  }
  if (props.mayPin || (item.mine && mayStop))
    ruling.push({ label: 'queue.close', icon: 'stop', danger: true, act: () => props.onAction('close', item) });
  const groups = [general, turn, ruling].filter((group) => group.length > 0);
  return (
    <AnchoredMenu button={button} label={t('queue.actionsFor', { name: jobName(item, t) })} onClose={props.onClose}>
      {groups.map((group, at) => (
        <Fragment key={group[0]?.label}>
          {at > 0 && <MenuLine />}
          {group.map(({ label, act, ...look }) => (
            <MenuItem key={label} {...look} onChoose={act}>
              {t(label)}
            </MenuItem>
          ))}
        </Fragment>
      ))}
      {item.mine && item.pinned_at === null && !props.line && <MenuNote>{t('queue.alone')}</MenuNote>}
      {item.mine && item.pinned_at !== null && <MenuNote>{t('queue.pinnedStays')}</MenuNote>}
    </AnchoredMenu>
  );
}

function movesOf(item: QueueItem, { line, onMove, onPlace }: Pick<Props, 'line' | 'onMove' | 'onPlace'>): Choice[] {
  if (!line) return [];
  const at = line.indexOf(item.job_id ?? '');
  const last = line.length - 1;
  return [
    { label: 'queue.up', icon: 'up', keys: 'Alt ↑', disabled: at === 0, act: () => onMove(item, at - 1) },
    { label: 'queue.down', icon: 'down', keys: 'Alt ↓', disabled: at === last, act: () => onMove(item, at + 1) },
    { label: 'queue.first', icon: 'first', disabled: at === 0, act: () => onMove(item, 0) },
    { label: 'queue.last', icon: 'last', disabled: at === last, act: () => onMove(item, last) },
    { label: 'queue.toPlace', icon: 'queue', act: () => onPlace(item) },
  ];
}
