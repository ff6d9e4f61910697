/** What can be done with the chosen people. */
import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import type { User } from '@/api/people';
import { useT } from '@/app/i18n';
import type { MessageKey } from '@/app/i18n';
import { ChosenBar } from '@/ui/table/ChosenBar';
import type { BulkAction } from './BulkDialog';

const BulkDialog = lazy(() => import('./BulkDialog'));

const ACTIONS: readonly [action: BulkAction, label: MessageKey][] = [
  ['set_role', 'people.setRole'],
  ['add_group', 'people.addGroup'],
  ['remove_group', 'people.removeGroup'],
  ['disable', 'people.disable'],
  ['enable', 'people.enable'],
];

export function BulkBar({ users, onDrop }: { users: User[]; onDrop: () => void }) {
  const t = useT();
  // What was chosen when the question came is what is done, whatever is chosen behind it.
  const [asking, setAsking] = useState<{ action: BulkAction; users: User[] } | null>(null);
  const suits: Partial<Record<BulkAction, boolean>> = {
    enable: users.some(({ disabled }) => disabled),
    disable: users.some(({ disabled }) => !disabled),
    remove_group: users.some(({ groups }) => groups.length > 0),
  };
  return (
    <>
      <ChosenBar count={users.length} onDrop={onDrop}>
        {ACTIONS.filter(([action]) => suits[action] ?? true).map(([action, label]) => (
          <Button key={action} variant="default" onClick={() => setAsking({ action, users })}>
            {t(label)}
          </Button>
        ))}
      </ChosenBar>
      {asking && (
        <Suspense fallback={null}>
          <BulkDialog {...asking} onDone={onDrop} onClose={() => setAsking(null)} />
        </Suspense>
      )}
    </>
  );
}
