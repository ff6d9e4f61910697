/** The transfers, the latest first, with a bar each; and the schedules that create them. */
import '@/ui/theme/kit-tabs.css';
import { Button, Tabs } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense, useMemo, useState } from 'react';
import { cancelTransfer, deleteTransfer, isUnfinished, listTransfers, resumeTransfer, transferKeys } from '@/api/transfers';
import type { Transfer } from '@/api/transfers';
import { useT } from '@/app/i18n';
import { useMay, useMe } from '@/app/session';
import { useList } from '@/parts/useList';
import { useSave } from '@/parts/useSave';
import { Icon } from '@/ui/icons';
import { ListStates } from '@/ui/page/ListPage';
import { Page, Panel } from '@/ui/page/Panel';
import { EmptyState } from '@/ui/page/States';
import { DataTable } from '@/ui/table/DataTable';
import { transferColumns } from './columns';
import { Schedules } from './Schedules';
import ink from '@/ui/theme/ink.module.css';
import layout from '@/ui/page/layout.module.css';

const NewTransfer = lazy(() => import('./NewTransfer'));
const RemoveRule = lazy(() => import('@/parts/RemoveRule'));
const route = getRouteApi('/app/transfers');
/** While one is on its way, and while none is. */
const SOON_MS = 1_500;
const AGAIN_MS = 15_000;

export function TransfersPage() {
  const t = useT();
  const { tab, into } = route.useSearch();
  const navigate = route.useNavigate();
  const mayWrite = useMay('transfer:write');
  const [making, setMaking] = useState(into !== undefined);
  const button = mayWrite && (
    <Button leftSection={<Icon name="plus" />} onClick={() => setMaking(true)}>
      {t('transfers.new')}
    </Button>
  );
  const close = () => {
    setMaking(false);
    if (into !== undefined) void navigate({ search: { tab }, replace: true });
  };
  return (
    <Page title={t('nav.transfers')} actions={button}>
      <p className={ink.quiet}>{t('transfers.text')}</p>
      <Tabs
        value={tab ?? 'all'}
        onChange={(next) => void navigate({ search: { tab: next === 'schedules' ? 'schedules' : undefined }, replace: true })}
      >
        <Tabs.List aria-label={t('nav.transfers')}>
          <Tabs.Tab value="all">{t('nav.transfers')}</Tabs.Tab>
          <Tabs.Tab value="schedules">{t('transfers.schedules')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value={tab ?? 'all'} pt="md">
          {tab === 'schedules' ? <Schedules /> : <TransferList onMake={mayWrite ? () => setMaking(true) : undefined} />}
        </Tabs.Panel>
      </Tabs>
      <Suspense fallback={null}>{making && <NewTransfer into={into} onClose={close} />}</Suspense>
    </Page>
  );
}

function TransferList({ onMake }: { onMake: (() => void) | undefined }) {
  const t = useT();
  const me = useMe();
  const client = useQueryClient();
  const [removing, setRemoving] = useState<Transfer | null>(null);
  const busy = () => (client.getQueryData<Transfer[]>(transferKeys.list)?.some(isUnfinished) ? SOON_MS : AGAIN_MS);
  const transfers = useList(transferKeys.list, listTransfers, busy);
  const act = useSave({
    save: ({ what, transfer }: { what: 'cancel' | 'resume'; transfer: Transfer }) =>
      what === 'cancel' ? cancelTransfer(transfer.id) : resumeTransfer(transfer.id),
    invalidate: [transferKeys.all],
    always: true,
    failed: t('transfers.notDone'),
  });
  const { mutate } = act;
  const columns = useMemo(
    () => transferColumns(t, me.name, { act: (what, transfer) => mutate({ what, transfer }), remove: setRemoving }),
    [t, me.name, mutate],
  );
  return (
    <div className={layout.parts}>
      <ListStates
        list={transfers}
        bones={6}
        none={
          <EmptyState
            icon="transfers"
            title={t('transfers.none')}
            action={
              onMake && (
                <Button variant="default" leftSection={<Icon name="plus" />} onClick={onMake}>
                  {t('transfers.new')}
                </Button>
              )
            }
          >
            {t('transfers.noneText')}
          </EmptyState>
        }
      >
        {(rows) => (
          <Panel flush>
            <DataTable label={t('nav.transfers')} columns={columns} rows={rows} rowKey={({ id }) => id} rowHeight={52} />
          </Panel>
        )}
      </ListStates>
      <Suspense fallback={null}>
        {removing && (
          <RemoveRule
            name={removing.id}
            title={t('transfers.removeTitle')}
            text={t('transfers.removeText')}
            remove={() => deleteTransfer(removing.id)}
            stale={transferKeys.all}
            onClose={() => setRemoving(null)}
          />
        )}
      </Suspense>
    </div>
  );
}
