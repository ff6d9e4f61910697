/** The last column of a list whose rows can be edited and removed. */
import type { ReactNode } from 'react';
import type { Translate } from '@/app/i18n';
import type { Column } from './DataTable';
import { RowButton } from './RowButton';
import style from './lists.module.css';

interface Actions<Row> {
  /** What the row is called, for the words of its buttons. */
  name: (row: Row) => string;
  edit: (row: Row) => void;
  remove: (row: Row) => void;
  /** Whether a row has the buttons; all have, where it is left out. */
  editable?: (row: Row) => boolean;
  removable?: (row: Row) => boolean;
  /** More buttons, between the two. */
  more?: (row: Row) => ReactNode;
  width?: string;
}

const always = () => true;

export function actionsColumn<Row>(t: Translate, actions: Actions<Row>): Column<Row> {
  const { name, edit, remove, editable = always, removable = always, more, width = '84px' } = actions;
  return {
    id: 'actions',
    header: t('jobs.actions'),
    hiddenHeader: true,
    width,
    align: 'right',
    cell: (row) => (
      <span className={style.rowActions}>
        {editable(row) && <RowButton icon="edit" label={t('list.edit', { name: name(row) })} onClick={() => edit(row)} />}
        {more?.(row)}
        {removable(row) && <RowButton danger icon="trash" label={t('list.remove', { name: name(row) })} onClick={() => remove(row)} />}
      </span>
    ),
  };
}
