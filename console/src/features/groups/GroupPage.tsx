/** One group: what it is for, what its members may do, who they are, what they may hold together. */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { getGroup, groupKeys } from '@/api/groups';
import type { GroupDetail } from '@/api/groups';
import { useT } from '@/app/i18n';
import { useLive } from '@/app/queries';
import { useMayEverywhere } from '@/app/session';
import { QuotaView } from '@/parts/quotas/QuotaView';
import { Icon } from '@/ui/icons';
import { AwaitedPage } from '@/ui/page/AwaitedPage';
import { Page, Panel } from '@/ui/page/Panel';
import type { Crumb } from '@/ui/page/Panel';
import { GroupMembers } from './GroupMembers';
import { PermissionForm } from './PermissionForm';
import layout from '@/ui/page/layout.module.css';
import ink from '@/ui/theme/ink.module.css';

const DescribeGroup = lazy(() => import('./DescribeGroup'));
const DeleteGroup = lazy(() => import('./DeleteGroup'));
const route = getRouteApi('/app/groups/$group');

export function GroupPage() {
  const t = useT();
  const { group: name } = route.useParams();
  useLive('rules');
  useLive('users');
  const group = useQuery({ queryKey: groupKeys.one(name), queryFn: ({ signal }) => getGroup(name, signal) });
  const list: Crumb = { to: '/groups', label: t('nav.groups') };
  if (group.data) return <Loaded group={group.data} trail={[list]} />;
  return (
    <AwaitedPage
      title={name}
      list={list}
      query={group}
      icon="groups"
      missing={t('groups.missing')}
      text={t('groups.missingText')}
      back={t('groups.all')}
    />
  );
}

function Loaded({ group, trail }: { group: GroupDetail; trail: Crumb[] }) {
  const t = useT();
  const mayWrite = useMayEverywhere('group:write');
  const mayReadQuota = useMayEverywhere('quota:read');
  const [open, setOpen] = useState<'describe' | 'delete' | null>(null);
  const close = () => setOpen(null);
  const actions = (
    <>
      <Button variant="default" leftSection={<Icon name="edit" />} onClick={() => setOpen('describe')}>
        {t('groups.describe')}
      </Button>
      <Button variant="default" leftSection={<Icon name="trash" />} onClick={() => setOpen('delete')}>
        {t('groups.delete')}
      </Button>
    </>
  );
  return (
    <Page title={group.name} trail={trail} actions={mayWrite && actions}>
      {group.description && <p className={ink.quiet}>{group.description}</p>}
      <div className={layout.columns}>
        <div className={layout.column}>
          <GroupMembers group={group} mayWrite={mayWrite} />
          {mayReadQuota && (
            <Panel title={t('groups.quota')}>
              <QuotaView group={group.name} />
            </Panel>
          )}
        </div>
        <PermissionForm group={group} mayWrite={mayWrite} />
      </div>
      <Suspense fallback={null}>
        {open === 'describe' && <DescribeGroup group={group} onClose={close} />}
        {open === 'delete' && <DeleteGroup group={group} onClose={close} />}
      </Suspense>
    </Page>
  );
}
