/** One change for many people: asks what it needs, says whom it concerns, and tells who was refused and why. */
import { Button, NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { groupKeys, listGroups } from '@/api/groups';
import { changeUsers, USER_ROLES, userKeys } from '@/api/people';
import type { BulkAct, JobsFate as Fate, User, UserRole } from '@/api/people';
import type { Outcome } from '@/api/types';
import { listed, useSentence, useT } from '@/app/i18n';
import type { MessageKey } from '@/app/i18n';
import { ROLE_WORDS } from '@/parts/people/words';
import { useSave } from '@/parts/useSave';
import { Dialog } from '@/ui/dialog/Dialog';
import { FormDialog } from '@/ui/dialog/FormDialog';
import { JobsFate } from './JobsFate';
import layout from '@/ui/page/layout.module.css';
import style from './Users.module.css';

export type BulkAction = BulkAct['act'];

const TITLES: Record<BulkAction, MessageKey> = {
  disable: 'people.disableMany',
  enable: 'people.enableMany',
  set_role: 'people.setRoleMany',
  add_group: 'people.addGroupMany',
  remove_group: 'people.removeGroupMany',
};
const ACTIONS: Record<BulkAction, MessageKey> = {
  disable: 'people.disable',
  enable: 'people.enable',
  set_role: 'people.setRole',
  add_group: 'people.addGroup',
  remove_group: 'people.removeGroup',
};
/** More names than this nobody reads. */
const NAMED = 30;

interface Props {
  action: BulkAction;
  users: User[];
  onDone: () => void;
  onClose: () => void;
}

export default function BulkDialog({ action, users, onDone, onClose }: Props) {
  const t = useT();
  const [fate, setFate] = useState<Fate | null>(null);
  const [role, setRole] = useState<UserRole | ''>('');
  const [group, setGroup] = useState('');
  const act = actOf(action, fate, role, group);
  const change = useSave({
    save: (said: BulkAct) =>
      changeUsers(
        users.map(({ name }) => name),
        said,
      ),
    stays: (outcomes) => outcomes.some(({ ok }) => !ok),
    close: () => {
      onClose();
      onDone();
    },
    said: (outcomes) => t('people.changedMany', { count: outcomes.length }),
    invalidate: [userKeys.all, groupKeys.all],
  });
  const title = t(TITLES[action], { count: users.length });
  if (change.data?.some(({ ok }) => !ok)) return <Refusals title={title} outcomes={change.data} onClose={onClose} />;
  const names = users.map(({ name }) => name);
  return (
    <FormDialog
      title={title}
      action={t(ACTIONS[action])}
      danger={action === 'disable'}
      busy={change.isPending}
      error={change.error}
      disabled={act === null}
      size={480}
      onSubmit={() => act && change.mutate(act)}
      onClose={onClose}
    >
      <p className={style.who}>
        {listed(names.slice(0, NAMED))}
        {names.length > NAMED && ` ${t('people.andMore', { count: names.length - NAMED })}`}
      </p>
      {action === 'disable' && (
        <>
          <p>{t('people.disableText')}</p>
          <JobsFate label={t('people.jobsQuestionMany')} value={fate} onChange={setFate} />
        </>
      )}
      {action === 'enable' && <p>{t('people.enableText')}</p>}
      {action === 'set_role' && (
        <NativeSelect
          label={t('people.role')}
          data={[{ value: '', label: t('people.chooseRole') }, ...USER_ROLES.map((value) => ({ value, label: t(ROLE_WORDS[value]) }))]}
          value={role}
          onChange={(event) => setRole(event.currentTarget.value as UserRole | '')}
        />
      )}
      {(action === 'add_group' || action === 'remove_group') && (
        <GroupChoice users={users} remove={action === 'remove_group'} value={group} onChange={setGroup} />
      )}
    </FormDialog>
  );
}

/** Null while something is missing. */
function actOf(action: BulkAction, fate: Fate | null, role: UserRole | '', group: string): BulkAct | null {
  switch (action) {
    case 'enable':
      return { act: action };
    case 'disable':
      return fate && { act: action, jobs: fate };
    case 'set_role':
      return role ? { act: action, role } : null;
    default:
      return group ? { act: action, group } : null;
  }
}

function GroupChoice({
  users,
  remove,
  value,
  onChange,
}: {
  users: User[];
  remove: boolean;
  value: string;
  onChange: (group: string) => void;
}) {
  const t = useT();
  const groups = useQuery({ queryKey: groupKeys.all, queryFn: ({ signal }) => listGroups(signal), enabled: !remove });
  const names = remove ? [...new Set(users.flatMap((user) => user.groups))].sort() : (groups.data?.map(({ name }) => name) ?? []);
  return (
    <NativeSelect
      label={t('people.group')}
      data={[{ value: '', label: t('people.chooseGroup') }, ...names]}
      description={names.length === 0 && !groups.isPending ? t('people.noGroupsYet') : undefined}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

function Refusals({ title, outcomes, onClose }: { title: string; outcomes: Outcome[]; onClose: () => void }) {
  const t = useT();
  const say = useSentence();
  const refused = outcomes.filter(({ ok }) => !ok);
  return (
    <Dialog title={title} onClose={onClose} size={480}>
      <p role="status">
        {t('people.changedMany', { count: outcomes.length - refused.length })} {t('people.refusedMany', { count: refused.length })}
      </p>
      <ul className={style.refusals} aria-label={t('people.refusals')}>
        {refused.map(({ name, error, text }) => (
          <li key={name}>
            <strong>{name}</strong>
            <span>{text ? say(text) : error}</span>
          </li>
        ))}
      </ul>
      <div className={layout.ends}>
        <Button data-autofocus onClick={onClose}>
          {t('action.close')}
        </Button>
      </div>
    </Dialog>
  );
}
