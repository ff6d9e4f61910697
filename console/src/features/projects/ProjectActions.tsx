/** What one does with a project as a whole: submit to it, look at its queue, ask to join, leave, close, delete. */
import { Button } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { meKeys } from '@/api/me';
import { deleteProject, editProject, projectKeys, removeMember } from '@/api/rules/projects';
import type { Project } from '@/api/rules/projects';
import { useT } from '@/app/i18n';
import { useMay, useMe } from '@/app/session';
import { useSave } from '@/parts/useSave';
import { Icon } from '@/ui/icons';
import { useAsked } from './useAsked';

const Confirm = lazy(() => import('@/ui/dialog/Confirm'));
const JoinProject = lazy(() => import('./JoinProject'));
/** Everybody's project, which cannot go. */
const PUBLIC = 'public';

export function ProjectActions({ project: { name, my_role, open, closed, members }, mayRule }: { project: Project; mayRule: boolean }) {
  const t = useT();
  const me = useMe();
  const navigate = useNavigate();
  const mayAsk = useMay('request:write');
  const asked = useAsked().has(name);
  const [asking, setAsking] = useState<'join' | 'leave' | 'delete' | null>(null);
  const close = () => setAsking(null);
  const always = { invalidate: [projectKeys.all, meKeys.me], failed: t('projects.failed') };
  const leave = useSave({ save: () => removeMember(name, me.name), close, said: t('projects.left', { name }), ...always });
  const remove = useSave({
    save: () => deleteProject(name),
    said: t('projects.deleted', { name }),
    gone: { forget: projectKeys.one(name), leave: () => navigate({ to: '/projects' }) },
    ...always,
  });
  const shut = useSave({ save: () => editProject(name, { closed: !closed }), ...always });
  return (
    <>
      <Button
        variant="default"
        leftSection={<Icon name="jobs" />}
        renderRoot={(props) => <Link to="/jobs" search={{ project: name }} {...props} />}
      >
        {t('projects.jobs')}
      </Button>
      {mayAsk && !my_role && !open && !asked && (
        <Button leftSection={<Icon name="inbox" />} onClick={() => setAsking('join')}>
          {t('projects.join')}
        </Button>
      )}
      {my_role && (
        <Button variant="default" leftSection={<Icon name="signOut" />} onClick={() => setAsking('leave')}>
          {t('projects.leave')}
        </Button>
      )}
      {mayRule && (
        <Button variant="default" loading={shut.isPending} title={t('projects.closeHint')} onClick={() => shut.mutate()}>
          {t(closed ? 'projects.reopen' : 'projects.close')}
        </Button>
      )}
      {mayRule && name !== PUBLIC && (
        <Button variant="default" leftSection={<Icon name="trash" />} onClick={() => setAsking('delete')}>
          {t('projects.delete')}
        </Button>
      )}
      <Suspense fallback={null}>
        {asking === 'join' && <JoinProject project={name} onClose={close} />}
        {asking === 'leave' && (
          <Confirm
            title={t('projects.leaveTitle', { name })}
            text={t('projects.leaveText')}
            action={t('projects.leave')}
            busy={leave.isPending}
            onConfirm={() => leave.mutate()}
            onClose={close}
          />
        )}
        {asking === 'delete' && (
          <Confirm
            title={t('projects.deleteTitle', { name })}
            text={t('projects.deleteText', { count: members })}
            action={t('projects.delete')}
            busy={remove.isPending}
            onConfirm={() => remove.mutate()}
            onClose={close}
          />
        )}
      </Suspense>
    </>
  );
}
