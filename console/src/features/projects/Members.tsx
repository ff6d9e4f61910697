/** Who belongs to a project and as what; its creators and administrators say so. */
import { Button, NativeSelect } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useCallback, useMemo, useState } from 'react';
import { meKeys } from '@/api/me';
import { changeMembers, listMembers, MEMBER_ROLES, projectKeys, removeMember, setMember } from '@/api/rules/projects';
import type { Member, MemberRole, Project } from '@/api/rules/projects';
import { useT } from '@/app/i18n';
import { useMayEverywhere } from '@/app/session';
import { MEMBER_WORDS } from '@/parts/people/words';
import { useSave } from '@/parts/useSave';
import { DataTable } from '@/ui/table/DataTable';
import { Icon } from '@/ui/icons';
import { Panel } from '@/ui/page/Panel';
import { EmptyState, ErrorState, Skeleton } from '@/ui/page/States';
import { memberColumns } from './member-columns';
import layout from '@/ui/page/layout.module.css';

const Confirm = lazy(() => import('@/ui/dialog/Confirm'));
const RosterDialog = lazy(() => import('@/parts/roster/RosterDialog'));
const keyOf = ({ user }: Member) => user;
/** What changes when a member does. */
const OF_MEMBERS = [projectKeys.all, meKeys.me];

export function Members({ project: { name, open }, governs }: { project: Project; governs: boolean }) {
  const t = useT();
  const client = useQueryClient();
  const [adding, setAdding] = useState(false);
  const [as, setAs] = useState<MemberRole>('member');
  const [removing, setRemoving] = useState<Member | null>(null);
  const members = useQuery({ queryKey: projectKeys.members(name), queryFn: ({ signal }) => listMembers(name, signal) });
  const refresh = useCallback(() => Promise.all(OF_MEMBERS.map((queryKey) => client.invalidateQueries({ queryKey }))), [client]);
  const { mutate: give } = useSave({
    save: ({ user, role }: { user: string; role: MemberRole }) => setMember(name, user, role),
    invalidate: OF_MEMBERS,
    // The choice goes back to what holds.
    always: true,
    failed: t('projects.failed'),
  });
  const remove = useSave({
    save: (user: string) => removeMember(name, user),
    close: () => setRemoving(null),
    invalidate: OF_MEMBERS,
    failed: t('projects.failed'),
  });
  const linked = useMayEverywhere('user:read');
  const columns = useMemo(
    () => memberColumns(t, governs ? { give: (user, role) => give({ user, role }), remove: setRemoving } : undefined, linked),
    [t, governs, give, linked],
  );
  const add = governs && (
    <Button variant="default" leftSection={<Icon name="plus" size={14} />} onClick={() => setAdding(true)}>
      {t('groups.addMembers')}
    </Button>
  );
  const some = members.data !== undefined && members.data.length > 0;
  return (
    <Panel title={some ? t('groups.membersOf', { count: members.data.length }) : t('projects.members')} aside={some && add} flush>
      {members.isPending && <Skeleton rows={4} />}
      {members.isError && !members.data && <ErrorState small error={members.error} retry={() => void members.refetch()} />}
      {members.data?.length === 0 && (
        <EmptyState small icon="users" title={t('projects.nobody')} action={add}>
          {t(open ? 'projects.nobodyOpen' : 'projects.nobodyText')}
        </EmptyState>
      )}
      {some && (
        <div className={layout.short}>
          <DataTable label={t('projects.members')} columns={columns} rows={members.data} rowKey={keyOf} />
        </div>
      )}
      <Suspense fallback={null}>
        {adding && (
          <RosterDialog
            withRoles
            title={t('groups.addTo', { name })}
            change={(body) => changeMembers(name, { ...body, role: as })}
            onDone={() => void refresh()}
            onClose={() => setAdding(false)}
          >
            <NativeSelect
              label={t('projects.as')}
              data={MEMBER_ROLES.map((value) => ({ value, label: t(MEMBER_WORDS[value]) }))}
              value={as}
              onChange={(event) => setAs(event.currentTarget.value as MemberRole)}
            />
          </RosterDialog>
        )}
        {removing && (
          <Confirm
            title={t('projects.removeTitle', { user: removing.user, name })}
            text={t('projects.removeText')}
            action={t('groups.takeOut')}
            busy={remove.isPending}
            onConfirm={() => remove.mutate(removing.user)}
            onClose={() => setRemoving(null)}
          />
        )}
      </Suspense>
    </Panel>
  );
}
