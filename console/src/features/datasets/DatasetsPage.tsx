/** The datasets: one's own, those shared with one, public ones; and those in the trash. */
import '@/ui/theme/kit-tabs.css';
import { Button, Tabs } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense, useMemo, useState } from 'react';
import { datasetKeys, listDatasets } from '@/api/datasets';
import type { DatasetRow } from '@/api/datasets';
import { useCommands } from '@/app/commands';
import type { Command } from '@/app/commands';
import type { MessageKey } from '@/app/i18n';
import { useT } from '@/app/i18n';
import { useMay, useMe } from '@/app/session';
import { useList } from '@/parts/useList';
import { SearchBox } from '@/ui/form/SearchBox';
import { Icon } from '@/ui/icons';
import { ListStates } from '@/ui/page/ListPage';
import { Page, Panel } from '@/ui/page/Panel';
import { EmptyState } from '@/ui/page/States';
import { DataTable } from '@/ui/table/DataTable';
import { datasetColumns } from './columns';
import { WHOSE } from './search';
import type { DatasetsSearch, Whose } from './search';
import { TrashedDatasets } from './TrashedDatasets';
import ink from '@/ui/theme/ink.module.css';
import layout from '@/ui/page/layout.module.css';
import lists from '@/ui/table/lists.module.css';
import style from './Datasets.module.css';

const SnapshotDialog = lazy(() => import('@/parts/datasets/SnapshotDialog'));
const PublicSet = lazy(() => import('./PublicSet'));
const route = getRouteApi('/app/datasets');
/** What others share shows by itself. */
const AGAIN_MS = 15_000;
const NO_COMMANDS: Command[] = [];
const WHOSE_WORDS: Record<Whose, MessageKey> = { mine: 'datasets.mineOnly', shared: 'datasets.sharedOnly', public: 'datasets.publicOnly' };

export function DatasetsPage() {
  const t = useT();
  const { tab } = route.useSearch();
  const navigate = route.useNavigate();
  const mayWrite = useMay('dataset:write');
  const [open, setOpen] = useState<'new' | 'public'>();
  const make = () => setOpen('new');
  const bring = () => setOpen('public');
  const close = () => setOpen(undefined);
  const commands: Command[] = [
    { id: 'datasets.new', label: t('datasets.new'), icon: 'plus', run: make },
    { id: 'datasets.public', label: t('datasets.public'), icon: 'transfers', run: bring },
  ];
  useCommands(mayWrite ? commands : NO_COMMANDS);
  const button = mayWrite && (
    <>
      <Button variant="default" onClick={bring}>
        {t('datasets.public')}
      </Button>
      <Button leftSection={<Icon name="plus" />} onClick={make}>
        {t('datasets.new')}
      </Button>
    </>
  );
  return (
    <Page title={t('nav.datasets')} actions={button}>
      <p className={ink.quiet}>{t('datasets.text')}</p>
      <Tabs
        value={tab ?? 'all'}
        onChange={(next) => void navigate({ search: { tab: next === 'trash' ? 'trash' : undefined }, replace: true })}
      >
        <Tabs.List aria-label={t('nav.datasets')}>
          <Tabs.Tab value="all">{t('nav.datasets')}</Tabs.Tab>
          <Tabs.Tab value="trash">{t('volumes.trash')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value={tab ?? 'all'} className={style.panel}>
          {tab === 'trash' ? <TrashedDatasets /> : <DatasetList onMake={mayWrite ? make : undefined} />}
        </Tabs.Panel>
      </Tabs>
      <Suspense fallback={null}>{open === 'new' ? <SnapshotDialog onClose={close} /> : open && <PublicSet onClose={close} />}</Suspense>
    </Page>
  );
}

function DatasetList({ onMake }: { onMake: (() => void) | undefined }) {
  const t = useT();
  const me = useMe();
  const { search = '', whose } = route.useSearch();
  const navigate = route.useNavigate();
  const datasets = useList(datasetKeys.list, listDatasets, AGAIN_MS);
  const columns = useMemo(() => datasetColumns(t, me.name), [t, me.name]);
  const change = (part: DatasetsSearch) => void navigate({ search: (old) => ({ ...old, ...part }), replace: true });
  const none = (
    <EmptyState
      icon="datasets"
      title={t('datasets.none')}
      action={
        onMake && (
          <Button variant="default" leftSection={<Icon name="plus" />} onClick={onMake}>
            {t('datasets.new')}
          </Button>
        )
      }
    >
      {t('datasets.noneText')}
    </EmptyState>
  );
  return (
    <ListStates list={datasets} bones={6} none={none}>
      {(all) => {
        const rows = all.filter((one) => fits(one, search, whose, me.name));
        return (
          <div className={layout.parts}>
            <div className={lists.filters}>
              <SearchBox
                label={t('datasets.search')}
                hint={t('datasets.searchHint')}
                value={search}
                onChange={(text) => change({ search: text || undefined })}
              />
              <fieldset className={lists.chips} aria-label={t('datasets.whose')}>
                {WHOSE.map((one) => (
                  <button
                    key={one}
                    type="button"
                    className={lists.chip}
                    aria-pressed={whose === one}
                    onClick={() => change({ whose: whose === one ? undefined : one })}
                  >
                    {t(WHOSE_WORDS[one])}
                  </button>
                ))}
              </fieldset>
            </div>
            {rows.length === 0 ? (
              <EmptyState
                icon="search"
                title={t('datasets.noMatch')}
                action={
                  <Button variant="default" onClick={() => change({ search: undefined, whose: undefined })}>
                    {t('datasets.clear')}
                  </Button>
                }
              />
            ) : (
              <Panel flush>
                <DataTable label={t('nav.datasets')} columns={columns} rows={rows} rowKey={({ id }) => id} />
              </Panel>
            )}
          </div>
        );
      }}
    </ListStates>
  );
}

/** A person has few of them, and all are here. */
function fits({ owner, name, description, public: open }: DatasetRow, search: string, whose: Whose | undefined, me: string): boolean {
  if (whose === 'mine' && owner !== me) return false;
  if (whose === 'shared' && (owner === me || open)) return false;
  if (whose === 'public' && !open) return false;
  const text = `${owner}:${name} ${description}`.toLowerCase();
  return text.includes(search.toLowerCase());
}
