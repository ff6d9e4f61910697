/** One row of a data table. */
import { memo } from 'react';
import type { Choice, Column } from './DataTable';
import table from './table.module.css';
import style from './DataTable.module.css';

interface Props {
  id: string;
  index: number;
  row: unknown;
  columns: Column<unknown>[];
  chosen?: boolean | undefined;
  onToggle?: Choice<unknown>['onToggle'] | undefined;
  chooseLabel?: Choice<unknown>['label'] | undefined;
}

/** Unchanged rows are not drawn again: lists keep the identity of rows that a refresh did not change. */
export const DataRow = memo(function DataRow({ id, index, row, columns, chosen, onToggle, chooseLabel }: Props) {
  return (
    <tr className={table.row} data-key={id} data-index={index} aria-rowindex={index + 2} data-chosen={chosen || undefined}>
      {onToggle && (
        <td className={style.choose}>
          <label>
            <input
              type="checkbox"
              aria-label={chooseLabel?.(row)}
              checked={chosen ?? false}
              onChange={(event) => onToggle(id, (event.nativeEvent as MouseEvent).shiftKey)}
            />
          </label>
        </td>
      )}
      <Cells row={row} columns={columns} />
    </tr>
  );
});

/** Apart from the row's place and its box, which change more often than what it says. */
const Cells = memo(function Cells({ row, columns }: { row: unknown; columns: Column<unknown>[] }) {
  return columns.map((column) => (
    <td key={column.id} data-align={column.align} data-hide-below={column.hideBelow}>
      {column.cell(row)}
    </td>
  ));
});

/** What a row needs to know of what is chosen; no more, so that it stays as it is while others are. */
export function choiceOf(key: string, choice: Choice<unknown> | undefined): Pick<Props, 'chosen' | 'onToggle' | 'chooseLabel'> {
  return choice ? { chosen: choice.chosen.has(key), onToggle: choice.onToggle, chooseLabel: choice.label } : {};
}
