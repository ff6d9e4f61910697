/** The body of a long table: only the rows in view exist. */
import { useVirtualizer } from '@tanstack/react-virtual';
import type { RefObject } from 'react';
import { DataRow } from './DataRow';
import type { Props } from './DataTable';

const ROW_HEIGHT = 36;

export default function VirtualBody({ columns, rows, rowKey, scroller }: Props<unknown> & { scroller: RefObject<HTMLDivElement | null> }) {
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
  });
  const items = virtual.getVirtualItems();
  const before = items[0]?.start ?? 0;
  const after = virtual.getTotalSize() - (items.at(-1)?.end ?? 0);
  return (
    <tbody>
      {before > 0 && <tr aria-hidden="true" style={{ height: before }} />}
      {items.map((item) => {
        const row = rows[item.index] ;
        return <DataRow key={rowKey(row)} row={row} columns={columns} />;
      })}
      {after > 0 && <tr aria-hidden="true" style={{ height: after }} />}
    </tbody>
  );
}
