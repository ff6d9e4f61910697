/** What one does with a project as a whole: submit to it, look at its queue, ask to join, leave, close, delete. */
import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { keys } from '@/api/keys';
import { deleteProject, editProject, removeMember } from '@/api/projects';
import type { Project } from '@/api/types';
import { useT } from '@/app/i18n';
import { notify } from '@/app/notify';
import { useMay, useMe } from '@/app/session';
import { Icon } from '@/ui/icons';
import { errorText } from '@/ui/page/States';
import { useAsked } from './useAsked';

const Confirm = lazy(() => import('@/ui/dialog/Confirm'));
const JoinProject = lazy(() => import('./JoinProject'));
/** Everybody's project, which cannot go. */
const PUBLIC = 'public';

export function ProjectActions({ project: { name, my_role, open, closed, members }, mayRule }: { project: Project; mayRule: boolean }) {
  const t = useT();
  const me = useMe();
  const client = useQueryClient();
  const navigate = useNavigate();
  const mayAsk = useMay('request:write');
  const asked = useAsked().has(name);
  const [asking, setAsking] = useState<'join' | 'leave' | 'delete' | null>(null);
  const close = () => setAsking(null);
  const failed = (error: unknown) => notify({ bad: true, title: t('projects.failed'), message: errorText(error, t) });
  const refresh = () => Promise.all([keys.projects, keys.me].map((queryKey) => client.invalidateQueries({ queryKey })));
  const leave = useMutation({
    mutationFn: () => removeMember(name, me.name),
    onSuccess: async () => {
      close();
      notify({ message: t('projects.left', { name }) });
      await refresh();
    },
    onError: failed,
  });
  const remove = useMutation({
    mutationFn: () => deleteProject(name),
    onSuccess: async () => {
      notify({ message: t('projects.deleted', { name }) });
      await navigate({ to: '/projects' });
      client.removeQueries({ queryKey: keys.project(name) });
      await refresh();
    },
    onError: failed,
  });
  const shut = useMutation({ mutationFn: () => editProject(name, { closed: !closed }), onSuccess: refresh, onError: failed });
  return (
    <>
      <Button variant="default" leftSection={<Icon name="jobs" />} renderRoot={(props) => <Link to="/jobs" search={{ project: name }} {...props} />}>{t('projects.jobs')}</Button>
      {mayAsk && !my_role && !open && !asked && <Button leftSection={<Icon name="inbox" />} onClick={() => setAsking('join')}>{t('projects.join')}</Button>}
      {my_role && <Button variant="default" leftSection={<Icon name="signOut" />} onClick={() => setAsking('leave')}>{t('projects.leave')}</Button>}
      {mayRule && <Button variant="default" loading={shut.isPending} title={t('projects.closeHint')} onClick={() => shut.mutate()}>{t(closed ? 'projects.reopen' : 'projects.close')}</Button>}
      {mayRule && name !== PUBLIC && <Button variant="default" leftSection={<Icon name="trash" />} onClick={() => setAsking('delete')}>{t('projects.delete')}</Button>}
      <Suspense fallback={null}>
        {asking === 'join' && <JoinProject project={name} onClose={close} />}
        {asking === 'leave' && (
          <Confirm title={t('projects.leaveTitle', { name })} text={t('projects.leaveText')} action={t('projects.leave')} busy={leave.isPending} onConfirm={() => leave.mutate()} onClose={close} />
        )}
        {asking === 'delete' && (
          <Confirm title={t('projects.deleteTitle', { name })} text={t('projects.deleteText', { count: members })} action={t('projects.delete')} busy={remove.isPending} onConfirm={() => remove.mutate()} onClose={close} />
        )}
      </Suspense>
    </>
  );
}
