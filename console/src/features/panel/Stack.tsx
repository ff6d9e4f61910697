/** A table where there is no room for one: each row is its name with every number below. */
import type { Column } from '@/ui/table/DataTable';
import style from './Stack.module.css';

interface Props<Row> {
  label: string;
  /** The first is the name. */
  columns: Column<Row>[];
  rows: Row[];
  rowKey: (row: Row) => string;
}

export function Stack<Row>({ label, columns: [name, ...numbers], rows, rowKey }: Props<Row>) {
  return (
    <ul className={style.stack} aria-label={label}>
      {rows.map((row) => (
        <li key={rowKey(row)} className={style.card}>
          {name?.cell(row)}
          <dl className={style.numbers}>
            {numbers.map(({ id, header, cell }) => (
              <div key={id}>
                <dt>{header}</dt>
                <dd>{cell(row)}</dd>
              </div>
            ))}
          </dl>
        </li>
      ))}
    </ul>
  );
}
