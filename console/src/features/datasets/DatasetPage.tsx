/** One dataset: what it is, its versions with their files, what changed between them, where they come from, who may use it. */
import '@/ui/theme/kit-tabs.css';
import { Button, Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { datasetKeys, editDataset, getDataset, listVersions, restoreDataset, shareDataset } from '@/api/datasets';
import type { Dataset, DatasetVersion } from '@/api/datasets';
import type { MessageKey } from '@/app/i18n';
import { useT } from '@/app/i18n';
import { useMe } from '@/app/session';
import { versionRef } from '@/parts/datasets/reference';
import { InTrash } from '@/parts/trash/InTrash';
import { Icon } from '@/ui/icons';
import { AwaitedPage } from '@/ui/page/AwaitedPage';
import { Page } from '@/ui/page/Panel';
import type { Crumb } from '@/ui/page/Panel';
import { EmptyState, ErrorState, Skeleton } from '@/ui/page/States';
import { Copy } from '@/ui/words/clipboard';
import { formatBytes } from '@/ui/words/format';
import { Tag, Tags } from '@/ui/words/Tags';
import { About } from './About';
import { Changes } from './Changes';
import { LineageView } from './LineageView';
import { NoVersion } from './NoVersion';
import { DATASET_TABS } from './search';
import type { DatasetTab } from './search';
import { Settings } from './Settings';
import { Statistics } from './Statistics';
import { UnderWay } from './UnderWay';
import { useActs } from './useActs';
import { VersionChoice } from './VersionChoice';
import { Versions } from './Versions';
import ink from '@/ui/theme/ink.module.css';
import layout from '@/ui/page/layout.module.css';
import style from './Datasets.module.css';

const VersionFiles = lazy(() => import('./VersionFiles'));
const Sharing = lazy(() => import('@/parts/sharing/Sharing'));
const SnapshotDialog = lazy(() => import('@/parts/datasets/SnapshotDialog'));

const route = getRouteApi('/app/datasets/$dataset');
const WORDS: Record<DatasetTab, MessageKey> = {
  about: 'datasets.about',
  versions: 'datasets.versions',
  files: 'datasets.files',
  statistics: 'datasets.statistics',
  changes: 'datasets.changes',
  lineage: 'datasets.lineage',
  sharing: 'volumes.sharing',
  settings: 'volumes.settings',
};
/** What is told of one version. */
const OF_VERSION: ReadonlySet<DatasetTab> = new Set(['files', 'statistics', 'changes']);

export function DatasetPage() {
  const t = useT();
  const { dataset: ref } = route.useParams();
  const dataset = useQuery({ queryKey: datasetKeys.one(ref), queryFn: ({ signal }) => getDataset(ref, signal) });
  const list: Crumb = { to: '/datasets', label: t('nav.datasets') };
  if (dataset.data) return <Loaded key={dataset.data.id} dataset={dataset.data} list={list} />;
  return (
    <AwaitedPage
      title={ref}
      list={list}
      query={dataset}
      icon="datasets"
      missing={t('datasets.missing')}
      text={t('datasets.missingText')}
      back={t('datasets.showAll')}
    />
  );
}

function Loaded({ dataset, list }: { dataset: Dataset; list: Crumb }) {
  const t = useT();
  const me = useMe();
  const { tab = 'about' } = route.useSearch();
  const navigate = route.useNavigate();
  const [making, setMaking] = useState(false);
  const versions = useQuery({ queryKey: datasetKeys.versions(dataset.id), queryFn: ({ signal }) => listVersions(dataset.id, signal) });
  const acts = useActs(dataset.id);
  const { id, name, trashed_at: trashed } = dataset;
  const writes = dataset.mode === 'rw' && trashed === null;
  const go = (next: string | null) =>
    void navigate({
      search: ({ version }) => ({ version, tab: next === 'about' ? undefined : (next as DatasetTab) }),
      replace: true,
    });
  const button = writes && (
    <Button leftSection={<Icon name="plus" />} onClick={() => setMaking(true)}>
      {t('datasets.newVersion')}
    </Button>
  );
  return (
    <Page title={name} trail={[list]} actions={button}>
      <div className={layout.row}>
        <Reference dataset={dataset} />
        <Tags label={t('datasets.about')}>
          {dataset.owner !== me.name && <Tag>{t('volumes.ownedBy', { owner: dataset.owner })}</Tag>}
          {dataset.mode === 'ro' && <Tag tone="blue">{t('volumes.readOnly')}</Tag>}
          {dataset.public && <Tag tone="blue">{t('volumes.public')}</Tag>}
          {dataset.sensitive && <Tag tone="amber">{t('volumes.sensitive')}</Tag>}
          {dataset.licence && <Tag>{dataset.licence}</Tag>}
        </Tags>
        {dataset.latest && (
          <span className={ink.quiet}>{t('datasets.inShort', { count: dataset.files, size: formatBytes(dataset.bytes) })}</span>
        )}
      </div>
      {dataset.description && <p className={ink.quiet}>{dataset.description}</p>}
      {trashed !== null && (
        <InTrash what={dataset} title="datasets.inTrash" failed="datasets.failed" stale={datasetKeys.all} restore={restoreDataset} />
      )}
      <UnderWay dataset={id} acts={acts} versions={versions.data} mayCancel={writes} />
      <Tabs value={tab} onChange={go} keepMounted={false}>
        <Tabs.List aria-label={name} className={style.tabs}>
          {DATASET_TABS.map((one) => (
            <Tabs.Tab key={one} value={one}>
              {t(WORDS[one])}
              {one === 'versions' && versions.data && versions.data.length > 0 && (
                <span className={ink.quiet}> {versions.data.length}</span>
              )}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={tab} className={style.panel}>
          <Suspense fallback={<Skeleton />}>
            {tab === 'about' && <About dataset={dataset} />}
            {tab === 'versions' && <Versions dataset={dataset} versions={versions} writes={writes} onMake={() => setMaking(true)} />}
            {OF_VERSION.has(tab) && (
              <OfVersion dataset={dataset} versions={versions} tab={tab} onMake={() => setMaking(true)} writes={writes} />
            )}
            {tab === 'lineage' && <LineageView dataset={dataset} />}
            {tab === 'sharing' && (
              <Sharing
                of={{ ...dataset, can_edit: dataset.can_edit && trashed === null }}
                share={(shares) => shareDataset(id, shares)}
                edit={(part) => editDataset(id, part)}
                stale={datasetKeys.all}
                writes="datasets.rw"
              />
            )}
            {tab === 'settings' && <Settings dataset={dataset} />}
          </Suspense>
        </Tabs.Panel>
      </Tabs>
      <Suspense fallback={null}>{making && <SnapshotDialog dataset={dataset} onClose={() => setMaking(false)} />}</Suspense>
    </Page>
  );
}

/** By which jobs and programs name it. */
function Reference({ dataset }: { dataset: Dataset }) {
  const t = useT();
  const me = useMe();
  const ref = versionRef(dataset, 'latest', me.name);
  return (
    <span className={style.reference}>
      <code>{ref}</code>
      <Copy text={ref} label={t('datasets.copyRef')} size={22} />
    </span>
  );
}

interface OfVersionProps {
  dataset: Dataset;
  versions: { data: DatasetVersion[] | undefined; error: unknown; refetch: () => unknown };
  tab: DatasetTab;
  writes: boolean;
  onMake: () => void;
}

function OfVersion({ dataset, versions: { data, error, refetch }, tab, writes, onMake }: OfVersionProps) {
  const t = useT();
  const { version: wanted } = route.useSearch();
  const navigate = route.useNavigate();
  if (!data) return error ? <ErrorState error={error} retry={() => void refetch()} /> : <Skeleton />;
  if (data.length === 0) return <NoVersion onMake={writes ? onMake : undefined} />;
  const shown = versionNamed(data, wanted);
  const choice = (
    <VersionChoice
      label={t('datasets.version')}
      versions={data}
      value={shown?.version ?? ''}
      onChange={(version) => void navigate({ search: (old) => ({ ...old, version, path: undefined, file: undefined }) })}
    />
  );
  if (!shown)
    return (
      <>
        {choice}
        <EmptyState icon="search" title={t('datasets.goneVersion', { version: wanted ?? '' })} small />
      </>
    );
  if (tab === 'files') return <VersionFiles key={shown.id} dataset={dataset} version={shown} choice={choice} />;
  if (tab === 'statistics') return <Statistics dataset={dataset} version={shown} choice={choice} />;
  return <Changes key={shown.id} dataset={dataset} version={shown} versions={data} choice={choice} />;
}

/** By its number or a tag. */
function versionNamed(versions: readonly DatasetVersion[], name: string | undefined): DatasetVersion | undefined {
  if (name === undefined) return versions[0];
  return versions.find(({ version, tags }) => version === name || version === `v${name}` || tags.includes(name));
}
