/** The volumes: one's own, those shared with one, public ones; first the two that everybody has. */
import '@/ui/theme/kit-tabs.css';
import { Button, Tabs } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense, useMemo, useState } from 'react';
import { GIVEN, readVolumes, volumeKeys } from '@/api/volumes';
import { useCommands } from '@/app/commands';
import type { Command } from '@/app/commands';
import { useT } from '@/app/i18n';
import { useMay, useMe } from '@/app/session';
import { usePages } from '@/parts/usePages';
import { Icon } from '@/ui/icons';
import { ListStates } from '@/ui/page/ListPage';
import { Page, Panel } from '@/ui/page/Panel';
import { EmptyState } from '@/ui/page/States';
import { DataTable } from '@/ui/table/DataTable';
import { volumeColumns } from './columns';
import type { VolumeRow } from './columns';
import { MoreRows } from './MoreRows';
import { TrashedVolumes } from './TrashedVolumes';
import { UploadPanel } from './upload/UploadPanel';
import ink from '@/ui/theme/ink.module.css';
import layout from '@/ui/page/layout.module.css';
import style from './Volumes.module.css';

const NewVolume = lazy(() => import('./NewVolume'));
const route = getRouteApi('/app/volumes');
/** What others share shows by itself. */
const AGAIN_MS = 15_000;
const NO_COMMANDS: Command[] = [];
const keyOf = (row: VolumeRow) => ('given' in row ? row.given : row.id);

export function VolumesPage() {
  const t = useT();
  const { tab, make: wanted } = route.useSearch();
  const navigate = route.useNavigate();
  const mayWrite = useMay('volume:write');
  const [making, setMaking] = useState(wanted !== undefined);
  const close = () => {
    setMaking(false);
    if (wanted) void navigate({ search: (old) => ({ ...old, make: undefined }), replace: true });
  };
  const make = () => setMaking(true);
  const commands: Command[] = [{ id: 'volumes.new', label: t('volumes.new'), icon: 'plus', run: make }];
  useCommands(mayWrite ? commands : NO_COMMANDS);
  const button = mayWrite && (
    <Button leftSection={<Icon name="plus" />} onClick={make}>
      {t('volumes.new')}
    </Button>
  );
  return (
    <Page title={t('nav.volumes')} actions={button}>
      <p className={ink.quiet}>{t('volumes.text')}</p>
      <Tabs
        value={tab ?? 'all'}
        onChange={(next) => void navigate({ search: { tab: next === 'trash' ? 'trash' : undefined }, replace: true })}
      >
        <Tabs.List aria-label={t('nav.volumes')}>
          <Tabs.Tab value="all">{t('nav.volumes')}</Tabs.Tab>
          <Tabs.Tab value="trash">{t('volumes.trash')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value={tab ?? 'all'} className={style.panel}>
          {tab === 'trash' ? <TrashedVolumes /> : <VolumeList onMake={mayWrite ? make : undefined} />}
        </Tabs.Panel>
      </Tabs>
      <Suspense fallback={null}>{making && mayWrite && <NewVolume recommended={wanted} onClose={close} />}</Suspense>
    </Page>
  );
}

function VolumeList({ onMake }: { onMake: (() => void) | undefined }) {
  const t = useT();
  const me = useMe();
  const volumes = usePages(volumeKeys.pages, (cursor, signal) => readVolumes(false, cursor, signal), AGAIN_MS);
  const columns = useMemo(() => volumeColumns(t, me.name), [t, me.name]);
  const rows = useMemo<VolumeRow[]>(() => [...GIVEN.map((given) => ({ given })), ...volumes.rows], [volumes.rows]);
  return (
    <div className={layout.parts}>
      <UploadPanel />
      <ListStates list={volumes} bones={6}>
        {(made) => (
          <>
            <Panel flush>
              <DataTable label={t('nav.volumes')} columns={columns} rows={rows} rowKey={keyOf} />
              <MoreRows list={volumes} total={volumes.first?.total ?? made.length} />
            </Panel>
            {made.length === 0 && (
              <EmptyState
                small
                icon="volumes"
                title={t('volumes.none')}
                action={
                  onMake && (
                    <Button variant="default" leftSection={<Icon name="plus" />} onClick={onMake}>
                      {t('volumes.new')}
                    </Button>
                  )
                }
              >
                {t('volumes.noneText')}
              </EmptyState>
            )}
          </>
        )}
      </ListStates>
    </div>
  );
}
