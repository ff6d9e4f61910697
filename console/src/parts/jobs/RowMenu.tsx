/** One menu for the whole table, opened beside the row whose button was pressed. */
import { Menu } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { getJob } from '@/api/jobs';
import { keys } from '@/api/keys';
import type { JobRow } from '@/api/types';
import { useT } from '@/app/i18n';
import { Icon } from '@/ui/icons';
import { likely, LOOKS, offered } from './actions';
import type { JobAction } from './actions';
import style from './jobs.module.css';

export interface OpenMenu {
  job: JobRow;
  button: HTMLElement;
}

interface Props {
  open: OpenMenu | null;
  onClose: () => void;
  onAction: (action: JobAction, job: JobRow) => void;
}

export function RowMenu({ open, onClose, onAction }: Props) {
  const t = useT();
  const id = open?.job.id ?? '';
  const detail = useQuery({ queryKey: keys.jobDetail(id), queryFn: ({ signal }) => getJob(id, signal), enabled: open !== null });
  const opener = open?.button;
  useEffect(() => {
    opener?.setAttribute('aria-expanded', 'true');
    return () => opener?.removeAttribute('aria-expanded');
  }, [opener]);
  if (!open) return null;
  const { job, button } = open;
  const box = button.getBoundingClientRect();
  const actions = detail.data ? offered(detail.data.actions, detail.data.state) : likely(job.state);
  const close = () => {
    onClose();
    button.focus();
  };
  return (
    <Menu opened onChange={(opened) => opened || close()} position="bottom-end" width={180} offset={4} returnFocus={false}>
      <Menu.Target>
        <span aria-hidden="true" style={{ position: 'fixed', left: box.left, top: box.top, width: box.width, height: box.height, pointerEvents: 'none' }} />
      </Menu.Target>
      <Menu.Dropdown aria-label={t('jobs.actionsFor', { name: job.name })}>
        {actions.map((action) => (
          <Menu.Item
            key={action}
            leftSection={<Icon name={LOOKS[action].icon} />}
            className={action === 'delete' ? style.danger : undefined}
            onClick={() => {
              close();
              onAction(action, job);
            }}
          >
            {t(LOOKS[action].label)}
          </Menu.Item>
        ))}
        {actions.length === 0 && <Menu.Label>{t('jobs.noActions')}</Menu.Label>}
      </Menu.Dropdown>
    </Menu>
  );
}
