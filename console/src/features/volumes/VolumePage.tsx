/** One volume: its files, whom it is shared with, which jobs mount it, and what can be changed of it. */
import '@/ui/theme/kit-tabs.css';
import { Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { editVolume, getVolume, isGiven, restoreVolume, shareVolume, volumeKeys } from '@/api/volumes';
import type { Given, Volume } from '@/api/volumes';
import type { MessageKey } from '@/app/i18n';
import { useT } from '@/app/i18n';
import { useMe } from '@/app/session';
import { InTrash } from '@/parts/trash/InTrash';
import { AwaitedPage } from '@/ui/page/AwaitedPage';
import { Page } from '@/ui/page/Panel';
import type { Crumb } from '@/ui/page/Panel';
import { Skeleton } from '@/ui/page/States';
import { Tag, Tags } from '@/ui/words/Tags';
import { GIVEN_WORDS } from './columns';
import { ClaimNotice, lookAgain } from './ClaimNotice';
import { VOLUME_TABS } from './search';
import type { VolumeTab } from './search';
import { UsedBar } from './UsedBar';
import { KIND_WORDS } from './words';
import ink from '@/ui/theme/ink.module.css';
import layout from '@/ui/page/layout.module.css';
import style from './Volumes.module.css';

const VolumeFiles = lazy(() => import('./files/VolumeFiles'));
const Sharing = lazy(() => import('@/parts/sharing/Sharing'));
const Uses = lazy(() => import('./Uses'));
const Settings = lazy(() => import('./Settings'));

const route = getRouteApi('/app/volumes/$volume');
const WORDS: Record<VolumeTab, MessageKey> = {
  files: 'volumes.files',
  sharing: 'volumes.sharing',
  use: 'volumes.use',
  settings: 'volumes.settings',
};

export function VolumePage() {
  const t = useT();
  const { volume: ref } = route.useParams();
  const given = isGiven(ref);
  const volume = useQuery({
    queryKey: volumeKeys.one(ref),
    queryFn: ({ signal }) => getVolume(ref, signal),
    enabled: !given,
    refetchInterval: ({ state }) => lookAgain(state.data),
  });
  const list: Crumb = { to: '/volumes', label: t('nav.volumes') };
  if (given) return <GivenPage given={ref} list={list} />;
  if (volume.data) return <Loaded volume={volume.data} list={list} />;
  return (
    <AwaitedPage
      title={ref}
      list={list}
      query={volume}
      icon="volumes"
      missing={t('volumes.missing')}
      text={t('volumes.missingText')}
      back={t('volumes.showAll')}
    />
  );
}

function GivenPage({ given, list }: { given: Given; list: Crumb }) {
  const t = useT();
  const me = useMe();
  const { name, about, at } = GIVEN_WORDS[given];
  return (
    <Page title={t(name)} trail={[list]}>
      <p className={ink.quiet}>
        {t(about)} {t('volumes.inJobs', { path: `${at}/${me.name}` })}
      </p>
      <Suspense fallback={<Skeleton />}>
        <VolumeFiles volume={given} name={t(name)} writes />
      </Suspense>
    </Page>
  );
}

function Loaded({ volume, list }: { volume: Volume; list: Crumb }) {
  const t = useT();
  const me = useMe();
  const { tab = 'files' } = route.useSearch();
  const navigate = route.useNavigate();
  const go = (next: string | null) =>
    void navigate({ search: { tab: next === 'files' ? undefined : (next as Exclude<VolumeTab, 'files'>) }, replace: true });
  return (
    <Page title={volume.name} trail={[list]}>
      <div className={layout.row}>
        <Tags label={t('volumes.about')}>
          <Tag>{t(KIND_WORDS[volume.kind])}</Tag>
          {volume.owner !== me.name && <Tag>{t('volumes.ownedBy', { owner: volume.owner })}</Tag>}
          {volume.mode === 'ro' && <Tag tone="blue">{t('volumes.readOnly')}</Tag>}
          {volume.public && <Tag tone="blue">{t('volumes.public')}</Tag>}
          {volume.source?.private && <Tag tone="amber">{t('volumes.private')}</Tag>}
          {volume.sensitive && <Tag tone="amber">{t('volumes.sensitive')}</Tag>}
          {volume.cluster !== 'local' && <Tag>{volume.cluster}</Tag>}
        </Tags>
        <UsedBar volume={volume} aged />
      </div>
      {volume.description && <p className={ink.quiet}>{volume.description}</p>}
      {volume.trashed_at !== null && (
        <InTrash what={volume} title="volumes.inTrash" failed="volumes.failed" stale={volumeKeys.all} restore={restoreVolume} />
      )}
      {volume.made && <ClaimNotice claim={volume.made} />}
      <Tabs value={tab} onChange={go} keepMounted={false}>
        <Tabs.List aria-label={volume.name}>
          {VOLUME_TABS.map((one) => (
            <Tabs.Tab key={one} value={one}>
              {t(WORDS[one])}
              {one === 'use' && volume.uses.length > 0 && <span className={ink.quiet}> {volume.uses.length}</span>}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={tab} className={style.panel}>
          <Suspense fallback={<Skeleton />}>
            {tab === 'files' && (
              <VolumeFiles
                key={volume.id}
                volume={volume.id}
                name={volume.name}
                title={volume.title}
                outside={volume.source !== null}
                writes={volume.mode === 'rw' && volume.trashed_at === null}
              />
            )}
            {tab === 'sharing' && (
              <Sharing
                of={volume}
                share={(shares) => shareVolume(volume.id, shares)}
                edit={(part) => editVolume(volume.id, part)}
                stale={volumeKeys.all}
              />
            )}
            {tab === 'use' && <Uses volume={volume} />}
            {tab === 'settings' && <Settings volume={volume} />}
          </Suspense>
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
