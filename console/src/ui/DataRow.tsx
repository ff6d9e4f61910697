/** One row of a data table. */
import { memo } from 'react';
import type { Column } from './DataTable';
import style from './DataTable.module.css';

/** Unchanged rows are not drawn again: react-query keeps the identity of rows that a refresh did not change. */
export const DataRow = memo(function DataRow({ row, columns }: { row: unknown; columns: Column<unknown>[] }) {
  return (
    <tr className={style.row}>
      {columns.map((column) => (
        <td key={column.id} data-align={column.align} data-hide-below={column.hideBelow}>
          {column.cell(row)}
        </td>
      ))}
    </tr>
  );
});
