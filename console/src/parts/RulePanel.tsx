/** Rules of one kind in a table, with a form to add and change them and a question before one goes. */
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { lazy, useMemo, useState } from 'react';
import { useT } from '@/app/i18n';
import { Icon } from '@/ui/icons';
import type { IconName } from '@/ui/icons';
import { ListPanel } from '@/ui/page/ListPage';
import type { Listing } from '@/ui/page/ListPage';
import { DataTable } from '@/ui/table/DataTable';
import { actionsColumn } from '@/ui/table/actions';
import type { Column } from '@/ui/table/DataTable';

const RemoveRule = lazy(() => import('./RemoveRule'));

interface Props<Rule> {
  title: string;
  list: Listing<Rule>;
  bones?: number;
  none?: ReactNode;
  columns: Column<Rule>[];
  mayWrite: boolean;
  add: { label: string; icon?: IconName };
  form: (rule: Rule | undefined, close: () => void) => ReactNode;
  removal: { text: string; remove: (name: string) => Promise<unknown> };
  /** Which can still be changed; all, unless said. */
  changeable?: (rule: Rule) => boolean;
}

type Open<Rule> = { what: 'form'; rule?: Rule } | { what: 'remove'; rule: Rule };

const nameOf = ({ name }: { name: string }) => name;

export function RulePanel<Rule extends { name: string }>({
  title,
  list,
  bones = 3,
  none,
  columns,
  mayWrite,
  add,
  form,
  removal,
  changeable,
}: Props<Rule>) {
  const t = useT();
  const [open, setOpen] = useState<Open<Rule> | null>(null);
  const close = () => setOpen(null);
  const all = useMemo<Column<Rule>[]>(() => {
    if (!mayWrite) return columns;
    const actions = actionsColumn<Rule>(t, {
      name: nameOf,
      edit: (rule) => setOpen({ what: 'form', rule }),
      remove: (rule) => setOpen({ what: 'remove', rule }),
      ...(changeable && { editable: changeable }),
    });
    return [...columns, actions];
  }, [t, columns, mayWrite, changeable]);
  return (
    <ListPanel
      title={title}
      list={list}
      bones={bones}
      none={none}
      aside={
        mayWrite && (
          <Button variant="default" leftSection={<Icon name={add.icon ?? 'plus'} />} onClick={() => setOpen({ what: 'form' })}>
            {add.label}
          </Button>
        )
      }
      dialogs={
        <>
          {open?.what === 'form' && form(open.rule, close)}
          {open?.what === 'remove' && <RemoveRule name={open.rule.name} {...removal} onClose={close} />}
        </>
      }
    >
      {(rows) => <DataTable label={title} columns={all} rows={rows} rowKey={nameOf} />}
    </ListPanel>
  );
}
