/** Quotas: of everybody by default, of persons, of groups; set, raised for a while, removed. */
import { Button } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, useRef, useState } from 'react';
import { listQuotas, quotaKeys, removeQuota } from '@/api/rules/quotas';
import type { Quota } from '@/api/rules/quotas';
import { useT } from '@/app/i18n';
import { useLive } from '@/app/queries';
import { useMayEverywhere } from '@/app/session';
import { useLongList } from '@/parts/useLongList';
import { ChosenBar } from '@/ui/table/ChosenBar';
import { DataTable } from '@/ui/table/DataTable';
import { Icon } from '@/ui/icons';
import { SearchBox } from '@/ui/form/SearchBox';
import { ListPage } from '@/ui/page/ListPage';
import { EmptyState } from '@/ui/page/States';
import { useChosen } from '@/ui/table/useChosen';
import type { TableControl } from '@/ui/table/VirtualBody-focus';
import { useQuotaColumns } from './columns';
import type { Open } from './columns';
import { called } from './words';
import ink from '@/ui/theme/ink.module.css';
import style from '@/ui/table/lists.module.css';

const QuotaForm = lazy(() => import('./QuotaForm'));
const RemoveRule = lazy(() => import('@/parts/RemoveRule'));
const EndRaises = lazy(() => import('./EndRaises'));
const RaiseForm = lazy(() => import('./RaiseForm'));
const route = getRouteApi('/app/quotas');
const PAGE_ROWS = 100;

export function QuotasPage() {
  const t = useT();
  useLive('rules');
  const { search, raise } = route.useSearch();
  const navigate = route.useNavigate();
  const mayWrite = useMayEverywhere('quota:write');
  const [open, setOpen] = useState<Open | null>(raise ? { what: 'raise', quota: unset(raise) } : null);
  const list = useLongList<Quota>(quotaKeys.page(search), (cursor, signal) => listQuotas({ search, cursor, limit: PAGE_ROWS }, signal));
  const close = () => {
    setOpen(null);
    if (raise) void navigate({ search: { search }, replace: true });
  };
  const look = (text: string | undefined) => void navigate({ search: { search: text || undefined }, replace: true });
  const add = mayWrite && (
    <Button leftSection={<Icon name="plus" />} onClick={() => setOpen({ what: 'form' })}>
      {t('quotas.set')}
    </Button>
  );
  const none = list.status === 'success' && list.rows.length === 0;
  const above = (
    <>
      <p className={ink.fine}>{t('quotas.text')}</p>
      {(!none || search) && list.status !== 'error' && (
        <search className={style.filters}>
          <SearchBox label={t('quotas.search')} hint={t('quotas.searchHint')} value={search ?? ''} onChange={look} />
        </search>
      )}
    </>
  );
  const nothing = search ? (
    <EmptyState
      icon="filter"
      title={t('quotas.noMatch')}
      action={
        <>
          {add}
          <Button variant="default" onClick={() => look(undefined)}>
            {t('list.clear')}
          </Button>
        </>
      }
    />
  ) : (
    <EmptyState icon="quotas" title={t('quotas.none')} action={add}>
      {t('quotas.noneText')}
    </EmptyState>
  );
  return (
    <ListPage
      title={t('quotas.title')}
      actions={(!none || search) && add}
      fill
      above={above}
      list={list}
      none={nothing}
      dialogs={<Opened open={open} rows={list.rows} onClose={close} />}
    >
      {() => <Table list={list} mayWrite={mayWrite} onOpen={setOpen} />}
    </ListPage>
  );
}

function Opened({ open, rows, onClose }: { open: Open | null; rows: readonly (Quota | undefined)[]; onClose: () => void }) {
  const t = useT();
  if (open === null) return null;
  if (open.what === 'form') return <QuotaForm quota={open.quota} names={open.names} onClose={onClose} />;
  if (open.what === 'end') return <EndRaises name={open.quota.name} onClose={onClose} />;
  if (open.what === 'raise') {
    return <RaiseForm quota={rows.find((one) => one?.name === open.quota.name) ?? open.quota} onClose={onClose} />;
  }
  const title = t('quotas.removeTitle', { name: called(open.quota.name, t) });
  return <RemoveRule name={open.quota.name} title={title} text={t('quotas.removeText')} remove={removeQuota} onClose={onClose} />;
}

/** What somebody has whose quota was never set. */
const unset = (name: string): Quota => ({ name, amounts: {}, storage: {}, raises: [], description: '' });

const nameOf = ({ name }: Quota): string => name;

function Table({
  list,
  mayWrite,
  onOpen,
}: {
  list: ReturnType<typeof useLongList<Quota>>;
  mayWrite: boolean;
  onOpen: (open: Open) => void;
}) {
  const t = useT();
  const control = useRef<TableControl>(null);
  const chosen = useChosen(list.rows, nameOf);
  const columns = useQuotaColumns(mayWrite, onOpen);
  const [label] = useState(
    () =>
      ({ name }: Quota) =>
        t('list.choose', { name }),
  );
  const choice = { chosen: chosen.keys, label, allLabel: t('list.chooseAll'), onToggle: chosen.toggle, onToggleAll: chosen.toggleAll };
  return (
    <div className={style.frame}>
      <DataTable
        label={t('quotas.title')}
        columns={columns}
        rows={list.rows}
        rowKey={nameOf}
        rowHeight={48}
        dimmed={list.stale}
        long={{ count: list.total, onView: list.onView, control }}
        {...(mayWrite && { choice })}
      />
      <ChosenBar count={chosen.rows.length} onDrop={chosen.drop}>
        <Button
          variant="default"
          leftSection={<Icon name="edit" />}
          onClick={() => onOpen({ what: 'form', names: chosen.rows.map(nameOf) })}
        >
          {t('quotas.setSame')}
        </Button>
      </ChosenBar>
    </div>
  );
}
