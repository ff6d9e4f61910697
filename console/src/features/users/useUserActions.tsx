/** What administrators do with a person: the menu's entries, and the dialogs behind them. */
import type { ReactNode } from 'react';
import { lazy, Suspense, useState } from 'react';
import type { User } from '@/api/people';
import type { MessageKey } from '@/app/i18n';
import type { IconName } from '@/ui/icons';

const EditUser = lazy(() => import('./EditUser'));
const DisableUser = lazy(() => import('./DisableUser'));
const ResetUser = lazy(() => import('./ResetUser'));
const DeleteUser = lazy(() => import('./DeleteUser'));

export type UserAction = 'edit' | 'reset' | 'disable' | 'enable' | 'delete';

export const ACTION_LOOKS: Record<UserAction, { icon: IconName; label: MessageKey; danger?: boolean }> = {
  edit: { icon: 'edit', label: 'people.edit' },
  reset: { icon: 'link', label: 'people.resetLink' },
  disable: { icon: 'cordoned', label: 'people.disable' },
  enable: { icon: 'play', label: 'people.enable' },
  delete: { icon: 'trash', label: 'people.delete', danger: true },
};

export function actionsFor({ disabled }: Pick<User, 'disabled'>): UserAction[] {
  return disabled ? ['edit', 'enable', 'delete'] : ['edit', 'reset', 'disable', 'delete'];
}

/** `dialogs` must be somewhere on the page. */
export function useUserActions(onDeleted?: () => void): { run: (action: UserAction, user: User) => void; dialogs: ReactNode } {
  const [open, setOpen] = useState<{ action: UserAction; user: User } | null>(null);
  const close = () => setOpen(null);
  return {
    run: (action, user) => setOpen({ action, user }),
    dialogs: open && (
      <Suspense fallback={null}>
        {open.action === 'edit' && <EditUser user={open.user} onClose={close} />}
        {(open.action === 'disable' || open.action === 'enable') && <DisableUser user={open.user} onClose={close} />}
        {open.action === 'reset' && <ResetUser user={open.user} onClose={close} />}
        {open.action === 'delete' && <DeleteUser user={open.user} onDeleted={onDeleted} onClose={close} />}
      </Suspense>
    ),
  };
}
