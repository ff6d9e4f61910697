import { fireEvent, render, screen } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { DataTable } from './DataTable';
import type { Column } from './DataTable';

interface Row {
  id: string;
  name: string;
}

const rows: Row[] = [{ id: '1', name: 'ada' }, { id: '2', name: 'bob' }];

function table(draw: (row: Row) => string, onSort = vi.fn<(sort: string) => void>(), shown = rows) {
  const columns: Column<Row>[] = [{ id: 'name', header: 'Name', sort: 'name', cell: draw }];
  return { columns, onSort, element: (sort: string) => <DataTable label="People" columns={columns} rows={shown} rowKey={(row) => row.id} sort={sort} onSort={onSort} /> };
}

describe('the data table', () => {
  it('says how it is sorted and asks for the other way round', () => {
    const { element, onSort } = table((row) => row.name);
    const { rerender } = render(element('name'));
    expect(screen.getByRole('columnheader').getAttribute('aria-sort')).toBe('ascending');
    fireEvent.click(screen.getByRole('button', { name: 'Name' }));
    expect(onSort).toHaveBeenCalledWith('-name');
    rerender(element('-name'));
    fireEvent.click(screen.getByRole('button', { name: 'Name' }));
    expect(onSort).toHaveBeenLastCalledWith('name');
  });

  it('does not draw unchanged rows again', () => {
    const draw = vi.fn<(row: Row) => string>((row) => row.name);
    const { columns } = table(draw);
    const element = (shown: Row[]) => <DataTable label="People" columns={columns} rows={shown} rowKey={(row) => row.id} />;
    const { rerender, container } = render(element(rows));
    const first = container.querySelector('tbody tr');
    rerender(element([rows[0]!, { id: '2', name: 'bea' }]));
    expect(container.querySelector('tbody tr')).toBe(first);
    expect(draw.mock.calls.map(([row]) => row.name)).toEqual(['ada', 'bob', 'bea']);
  });
});
