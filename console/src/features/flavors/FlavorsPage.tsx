/** The flavors: named sizes that people choose from. */
import { Button } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { lazy, useMemo, useState } from 'react';
import { flavorKeys, listFlavors } from '@/api/rules/flavors';
import type { Flavor } from '@/api/rules/flavors';
import { useT } from '@/app/i18n';
import { useLive } from '@/app/queries';
import { useMayEverywhere } from '@/app/session';
import { Classes } from '@/parts/ClassChoice';
import { useList } from '@/parts/useList';
import { ChosenBar } from '@/ui/table/ChosenBar';
import { actionsColumn } from '@/ui/table/actions';
import { DataTable } from '@/ui/table/DataTable';
import type { Column } from '@/ui/table/DataTable';
import { formatCount } from '@/ui/words/format';
import { Icon } from '@/ui/icons';
import { SearchBox } from '@/ui/form/SearchBox';
import { ListPage } from '@/ui/page/ListPage';
import { EmptyState } from '@/ui/page/States';
import { useChosen } from '@/ui/table/useChosen';
import { cardsOf, matching, sizeWords } from './draft';
import ink from '@/ui/theme/ink.module.css';
import style from '@/ui/table/lists.module.css';

const FlavorForm = lazy(() => import('./FlavorForm'));
const EditMany = lazy(() => import('./EditMany'));
const RemoveFlavors = lazy(() => import('./RemoveFlavors'));
const Generate = lazy(() => import('./Generate'));
const route = getRouteApi('/app/flavors');

/** What is open: a form for one, or something for several. */
type Open = { what: 'form'; flavor?: Flavor } | { what: 'generate' } | { what: 'edit' | 'remove'; names: string[] };

export function FlavorsPage() {
  const t = useT();
  useLive('rules');
  const { search } = route.useSearch();
  const navigate = route.useNavigate();
  const mayWrite = useMayEverywhere('flavor:write');
  const [open, setOpen] = useState<Open | null>(null);
  const flavors = useList(flavorKeys.all, listFlavors);
  const shown = useMemo(() => matching(flavors.rows, search), [flavors.rows, search]);
  const look = (text: string | undefined) => void navigate({ search: { search: text || undefined }, replace: true });
  const ways = mayWrite && (
    <>
      <Button variant="default" leftSection={<Icon name="nodes" />} onClick={() => setOpen({ what: 'generate' })}>
        {t('flavors.generate')}
      </Button>
      <Button leftSection={<Icon name="plus" />} onClick={() => setOpen({ what: 'form' })}>
        {t('flavors.new')}
      </Button>
    </>
  );
  const none = flavors.status === 'success' && flavors.rows.length === 0;
  return (
    <ListPage
      title={t('flavors.title')}
      actions={!none && ways}
      fill
      list={flavors}
      none={
        <EmptyState icon="flavors" title={t('flavors.none')} action={ways}>
          {t(mayWrite ? 'flavors.noneText' : 'flavors.noneTextOthers')}
        </EmptyState>
      }
      dialogs={<Opened open={open} onClose={() => setOpen(null)} />}
    >
      {() => (
        <>
          <search className={style.filters}>
            <SearchBox label={t('flavors.search')} hint={t('flavors.searchHint')} value={search ?? ''} onChange={look} />
          </search>
          {shown.length > 0 ? (
            <Table flavors={shown} mayWrite={mayWrite} onOpen={setOpen} />
          ) : (
            <EmptyState
              icon="filter"
              title={t('flavors.noMatch')}
              action={
                <Button variant="default" onClick={() => look(undefined)}>
                  {t('list.clear')}
                </Button>
              }
            />
          )}
        </>
      )}
    </ListPage>
  );
}

function Opened({ open, onClose }: { open: Open | null; onClose: () => void }): ReactNode {
  if (open === null) return null;
  if (open.what === 'form') return <FlavorForm flavor={open.flavor} onClose={onClose} />;
  if (open.what === 'generate') return <Generate onClose={onClose} />;
  const Chosen = open.what === 'edit' ? EditMany : RemoveFlavors;
  return <Chosen names={open.names} onClose={onClose} />;
}

const nameOf = ({ name }: Flavor): string => name;

function Table({ flavors, mayWrite, onOpen }: { flavors: Flavor[]; mayWrite: boolean; onOpen: (open: Open) => void }) {
  const t = useT();
  const chosen = useChosen(flavors, nameOf);
  const names = () => chosen.rows.map(nameOf);
  const columns = useFlavorColumns(mayWrite, onOpen);
  const label = useMemo(
    () =>
      ({ name }: Flavor) =>
        t('list.choose', { name }),
    [t],
  );
  const choice = { chosen: chosen.keys, label, allLabel: t('list.chooseAll'), onToggle: chosen.toggle, onToggleAll: chosen.toggleAll };
  return (
    <div className={style.frame}>
      <DataTable label={t('flavors.title')} columns={columns} rows={flavors} rowKey={nameOf} {...(mayWrite && { choice })} />
      <ChosenBar count={chosen.rows.length} onDrop={chosen.drop}>
        <Button variant="default" leftSection={<Icon name="edit" />} onClick={() => onOpen({ what: 'edit', names: names() })}>
          {t('action.edit')}
        </Button>
        <Button variant="default" leftSection={<Icon name="trash" />} onClick={() => onOpen({ what: 'remove', names: names() })}>
          {t('action.remove')}
        </Button>
      </ChosenBar>
    </div>
  );
}

function useFlavorColumns(mayWrite: boolean, onOpen: (open: Open) => void): Column<Flavor>[] {
  const t = useT();
  return useMemo(
    () => [
      {
        id: 'name',
        header: t('jobs.name'),
        width: '20%',
        cell: ({ name }) => (
          <span className={style.name} title={name}>
            {name}
          </span>
        ),
      },
      { id: 'gpus', header: t('quota.gpus'), width: '132px', cell: (flavor) => cardsOf(flavor, t('size.gpu')) },
      { id: 'cpus', header: t('quota.cpus'), width: '72px', hideBelow: 'phone', cell: ({ resources }) => formatCount(resources.cpus) },
      { id: 'memory', header: t('quota.memory'), width: '96px', hideBelow: 'phone', cell: ({ resources }) => sizeWords(resources.memory) },
      { id: 'shm', header: t('flavors.shm'), width: '116px', hideBelow: 'desktop', cell: ({ resources }) => sizeWords(resources.shm) },
      {
        id: 'rdma',
        header: t('flavors.rdma'),
        width: '76px',
        hideBelow: 'desktop',
        cell: ({ resources }) => (resources.rdma ? t('list.yes') : '–'),
      },
      {
        id: 'classes',
        header: t('flavors.classes'),
        width: '22%',
        hideBelow: 'tablet',
        cell: ({ classes }) => <Classes classes={classes} />,
      },
      {
        id: 'description',
        header: t('list.description'),
        hideBelow: 'tablet',
        cell: ({ description }) => (
          <span className={ink.quiet} title={description}>
            {description}
          </span>
        ),
      },
      ...(mayWrite
        ? [
            actionsColumn<Flavor>(t, {
              name: nameOf,
              edit: (flavor) => onOpen({ what: 'form', flavor }),
              remove: ({ name }) => onOpen({ what: 'remove', names: [name] }),
            }),
          ]
        : []),
    ],
    [t, mayWrite, onOpen],
  );
}
