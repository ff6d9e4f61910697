import { act, fireEvent, render, screen } from '@testing-library/react';
import { createRef } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { DataTable } from './DataTable';
import type { Choice, Column, Props } from './DataTable';
import type { TableControl } from './VirtualBody-focus';
import { shiftOf, spanOf } from './VirtualBody-scroll';

interface Row {
  id: string;
  name: string;
}

const rows: Row[] = [
  { id: '1', name: 'ada' },
  { id: '2', name: 'bob' },
];
const many = (count: number, from = 0): Row[] =>
  Array.from({ length: count }, (_, index) => ({ id: `r${from + index}`, name: `row ${from + index}` }));
const rowKey = (row: Row) => row.id;
const nothing = () => undefined;
const names: Column<Row>[] = [
  {
    id: 'name',
    header: 'Name',
    sort: 'name',
    cell: (row) => (
      <a href="#row" data-row-link>
        {row.name}
      </a>
    ),
  },
];

function table(props: Partial<Props<Row>> = {}) {
  return <DataTable label="People" columns={names} rows={rows} rowKey={rowKey} {...props} />;
}

const long = (count: number, more: Partial<NonNullable<Props<Row>['long']>> = {}) => ({ count, onView: nothing, control: null, ...more });

/** Scrolls as the browser would. */
function scrollTo(top: number) {
  const region = screen.getByRole('region', { name: 'People' });
  region.scrollTop = top;
  fireEvent.scroll(region);
}

const drawn = () => [...document.querySelectorAll<HTMLElement>('tbody tr[data-key]')];

describe('the data table', () => {
  it('says how it is sorted and asks for the other way round', () => {
    const onSort = vi.fn<(sort: string) => void>();
    const { rerender } = render(table({ sort: 'name', onSort }));
    expect(screen.getByRole('columnheader').getAttribute('aria-sort')).toBe('ascending');
    fireEvent.click(screen.getByRole('button', { name: 'Name' }));
    expect(onSort).toHaveBeenCalledWith('-name');
    rerender(table({ sort: '-name', onSort }));
    fireEvent.click(screen.getByRole('button', { name: 'Name' }));
    expect(onSort).toHaveBeenLastCalledWith('name');
  });

  it('asks for no direction that the server does not know', () => {
    const onSort = vi.fn<(sort: string) => void>();
    const ended: Column<Row>[] = [{ id: 'ended', header: 'Ended', sort: 'ended', oneWay: 'down', cell: (row) => row.name }];
    render(table({ columns: ended, sort: '-ended', onSort }));
    fireEvent.click(screen.getByRole('button', { name: 'Ended' }));
    expect(onSort).toHaveBeenCalledWith('-ended');
  });

  it('does not draw unchanged rows again', () => {
    const draw = vi.fn<(row: Row) => string>((row) => row.name);
    const columns: Column<Row>[] = [{ id: 'name', header: 'Name', cell: draw }];
    const { rerender, container } = render(table({ columns }));
    const first = container.querySelector('tbody tr');
    rerender(table({ columns, rows: [rows[0]!, { id: '2', name: 'bea' }] }));
    expect(container.querySelector('tbody tr')).toBe(first);
    expect(draw.mock.calls.map(([row]) => row.name)).toEqual(['ada', 'bob', 'bea']);
  });

  it('chooses a row, all between two, and all', () => {
    const choice = {
      chosen: new Set(['1']),
      label: (row: Row) => `Select ${row.name}`,
      allLabel: 'Select all',
      onToggle: vi.fn<Choice<Row>['onToggle']>(),
      onToggleAll: vi.fn<() => void>(),
    };
    render(table({ choice }));
    expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Select ada' }).checked).toBe(true);
    expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Select all' }).indeterminate).toBe(true);
    fireEvent.click(screen.getByRole('checkbox', { name: 'Select bob' }));
    expect(choice.onToggle).toHaveBeenLastCalledWith('2', false);
    fireEvent.click(screen.getByRole('checkbox', { name: 'Select bob' }), { shiftKey: true });
    expect(choice.onToggle).toHaveBeenLastCalledWith('2', true);
    fireEvent.click(screen.getByRole('checkbox', { name: 'Select all' }));
    expect(choice.onToggleAll).toHaveBeenCalled();
  });
});

describe('a long table', () => {
  it('draws a screenful of 10,000 rows and keeps the room of the others', () => {
    const { container } = render(table({ rows: many(10_000), rowHeight: 40, long: long(10_000) }));
    expect(drawn().length).toBeLessThan(60);
    expect(screen.getByRole('table').getAttribute('aria-rowcount')).toBe('10001');
    const heights = [...container.querySelectorAll<HTMLElement>('tbody tr')].map((row) =>
      row.dataset.key ? 40 : Number.parseInt(row.style.height, 10),
    );
    expect(heights.reduce((sum, height) => sum + height, 0)).toBe(400_000);
  });

  it('keeps the rows that stay in view while scrolling, and draws none of them again', () => {
    const draw = vi.fn<(row: Row) => string>((row) => row.name);
    const columns: Column<Row>[] = [{ id: 'name', header: 'Name', cell: draw }];
    render(table({ columns, rows: many(10_000), rowHeight: 40, long: long(10_000) }));
    scrollTo(100 * 40);
    scrollTo(101 * 40);
    const before = new Map(drawn().map((row) => [row.dataset.key!, row]));
    draw.mockClear();
    scrollTo(104 * 40);
    expect(draw.mock.calls.length).toBe(3);
    const kept = drawn().filter((row) => before.has(row.dataset.key!));
    expect(kept.length).toBeGreaterThan(20);
    expect(kept.every((row) => before.get(row.dataset.key!) === row)).toBe(true);
  });

  it('draws little beyond the edges for whoever leaps over whole screens', () => {
    render(table({ rows: many(10_000), rowHeight: 40, long: long(10_000) }));
    scrollTo(5000 * 40);
    const leapt = drawn().length;
    scrollTo(5001 * 40);
    expect(drawn().length).toBeGreaterThan(leapt + 10);
  });

  it('says which rows are in view, and shows that some are not loaded', () => {
    const onView = vi.fn<(first: number, last: number) => void>();
    const { container } = render(table({ rows: many(200), rowHeight: 40, long: long(5000, { onView }) }));
    scrollTo(1000 * 40);
    expect(onView.mock.lastCall?.[0]).toBe(1000);
    expect(drawn()).toHaveLength(0);
    expect(container.querySelector('tr[data-index="1000"]')?.getAttribute('aria-hidden')).toBe('true');
  });

  it('leaves what is read where it is when rows come above it', () => {
    const { rerender } = render(table({ rows: many(1000), rowHeight: 40, long: long(1000) }));
    scrollTo(500 * 40);
    rerender(table({ rows: [...many(3, -3), ...many(1000)], rowHeight: 40, long: long(1003) }));
    expect(screen.getByRole('region').scrollTop).toBe(503 * 40);
    expect(drawn().some((row) => row.dataset.key === 'r500')).toBe(true);
  });

  it('lets new rows in at the top, unless a row there is in focus', () => {
    const { rerender } = render(table({ rows: many(1000), rowHeight: 40, long: long(1000) }));
    rerender(table({ rows: [...many(1, -1), ...many(1000)], rowHeight: 40, long: long(1001) }));
    expect(screen.getByRole('region').scrollTop).toBe(0);
    act(() => screen.getByRole('link', { name: 'row 2' }).focus());
    rerender(table({ rows: [...many(3, -3), ...many(1000)], rowHeight: 40, long: long(1003) }));
    expect(screen.getByRole('region').scrollTop).toBe(2 * 40);
    expect(document.activeElement?.textContent).toBe('row 2');
  });

  it('is walked by keyboard, also to its far end', () => {
    const control = createRef<TableControl>();
    render(table({ rows: many(1000), rowHeight: 40, long: long(1000, { control }) }));
    const region = screen.getByRole('region');
    Object.defineProperty(region, 'clientHeight', { value: 434 });
    act(() => control.current!.step(1));
    expect(document.activeElement?.textContent).toBe('row 0');
    act(() => control.current!.step(1));
    expect(control.current!.here()).toBe('r1');
    fireEvent.keyDown(document.activeElement!, { key: 'PageDown' });
    fireEvent.scroll(region);
    expect(document.activeElement?.textContent).toBe('row 10');
    fireEvent.keyDown(document.activeElement!, { key: 'End' });
    fireEvent.scroll(region);
    expect(document.activeElement?.textContent).toBe('row 999');
    fireEvent.keyDown(document.activeElement!, { key: 'Home' });
    fireEvent.scroll(region);
    expect(document.activeElement?.textContent).toBe('row 0');
  });

  it('gives the focus to a row that had to be loaded first', () => {
    const { rerender } = render(table({ rows: many(200), rowHeight: 40, long: long(400) }));
    const region = screen.getByRole('region');
    Object.defineProperty(region, 'clientHeight', { value: 434 });
    act(() => region.focus());
    fireEvent.keyDown(region, { key: 'End' });
    fireEvent.scroll(region);
    expect(document.activeElement).toBe(region);
    rerender(table({ rows: many(400), rowHeight: 40, long: long(400) }));
    expect(document.activeElement?.textContent).toBe('row 399');
  });
});

describe('places in a long table', () => {
  it('are counted in whole rows, cut ones included', () => {
    expect(spanOf(0, 400, 40)).toEqual({ first: 0, last: 9 });
    expect(spanOf(20, 400, 40)).toEqual({ first: 0, last: 10 });
  });

  it('follow the first row that is still there', () => {
    expect(
      shiftOf(
        new Map([
          ['a', 5],
          ['b', 6],
        ]),
        ['x', 'b'],
      ),
    ).toBe(-5);
    expect(shiftOf(new Map([['a', 0]]), ['x', 'y'])).toBe(0);
  });
});
