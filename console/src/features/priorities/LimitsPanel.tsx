/** Limits: how many GPUs at once, and for how long. */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useMemo, useState } from 'react';
import { keys } from '@/api/keys';
import { listLimits, removeLimit } from '@/api/rules';
import type { Limit } from '@/api/types';
import type { MessageKey, Translate } from '@/app/i18n';
import { useT } from '@/app/i18n';
import { pollWithoutLive } from '@/app/queries';
import { useMayEverywhere } from '@/app/session';
import { className } from '@/parts/quotas/words';
import { DataTable } from '@/ui/table/DataTable';
import type { Column } from '@/ui/table/DataTable';
import { formatCount } from '@/ui/words/format';
import { Icon } from '@/ui/icons';
import { Panel } from '@/ui/page/Panel';
import { RowButton } from '@/ui/table/RowButton';
import { EmptyState, ErrorState, Skeleton } from '@/ui/page/States';
import style from '@/ui/table/lists.module.css';

const LimitForm = lazy(() => import('./LimitForm'));
const RemoveRule = lazy(() => import('@/parts/RemoveRule'));

type Open = { what: 'form'; limit?: Limit } | { what: 'remove'; limit: Limit };

export function LimitsPanel() {
  const t = useT();
  const mayWrite = useMayEverywhere('limit:write');
  const [open, setOpen] = useState<Open | null>(null);
  const limits = useQuery({ queryKey: keys.limits, queryFn: ({ signal }) => listLimits(signal), refetchInterval: pollWithoutLive });
  const columns = useColumns(mayWrite, setOpen);
  const close = () => setOpen(null);
  const add = mayWrite && <Button variant="default" leftSection={<Icon name="plus" />} onClick={() => setOpen({ what: 'form' })}>{t('limits.new')}</Button>;
  return (
    <Panel title={t('limits.title')} aside={add} flush>
      {limits.isPending && <Skeleton rows={3} />}
      {limits.isError && !limits.data && <ErrorState small error={limits.error} retry={() => void limits.refetch()} />}
      {limits.data?.length === 0 && <EmptyState small icon="clock" title={t('limits.none')}>{t('limits.noneText')}</EmptyState>}
      {limits.data && limits.data.length > 0 && <DataTable label={t('limits.title')} columns={columns} rows={limits.data} rowKey={({ name }) => name} />}
      <Suspense fallback={null}>
        {open?.what === 'form' && <LimitForm limit={open.limit} onClose={close} />}
        {open?.what === 'remove' && <RemoveRule name={open.limit.name} text={t('limits.removeText')} remove={removeLimit} onClose={close} />}
      </Suspense>
    </Panel>
  );
}

function useColumns(mayWrite: boolean, onOpen: (open: Open) => void): Column<Limit>[] {
  const t = useT();
  return useMemo(() => [
    { id: 'name', header: t('jobs.name'), width: '18%', cell: ({ name }) => <span className={style.name} title={name}>{name}</span> },
    { id: 'user', header: t('limits.user'), cell: ({ user }) => whom(user, 'limits.eachUser', 'limits.allUsers', t) },
    { id: 'project', header: t('limits.project'), hideBelow: 'phone', cell: ({ project }) => whom(project, 'limits.eachProject', 'limits.allProjects', t) },
    { id: 'class', header: t('quota.class'), width: '132px', hideBelow: 'phone', cell: (limit) => (limit.class ? className(limit.class, t) : t('class.all')) },
    { id: 'gpus', header: t('limits.gpus'), width: '132px', align: 'right', cell: ({ gpus }) => (gpus === null ? '–' : formatCount(gpus)) },
    { id: 'time', header: t('limits.time'), width: '112px', align: 'right', cell: ({ max_time: time }) => time ?? '–' },
    ...(mayWrite ? [{
      id: 'actions', header: t('jobs.actions'), hiddenHeader: true, width: '84px', align: 'right' as const,
      cell: (limit: Limit) => (
        <span className={style.rowActions}>
          <RowButton icon="edit" label={t('list.edit', { name: limit.name })} onClick={() => onOpen({ what: 'form', limit })} />
          <RowButton danger icon="trash" label={t('list.remove', { name: limit.name })} onClick={() => onOpen({ what: 'remove', limit })} />
        </span>
      ),
    }] : []),
  ], [t, mayWrite, onOpen]);
}

/** `*` is each by itself, nothing all together. */
function whom(name: string | null, each: MessageKey, all: MessageKey, t: Translate): string {
  return name === null ? t(all) : name === '*' ? t(each) : name;
}
