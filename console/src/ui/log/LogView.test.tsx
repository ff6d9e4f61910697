import { fireEvent, render } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { toLine } from './log-lines';
import { LINE_HEIGHT } from './log-lines-layout';
import { LogView } from './LogView';
import type { LogViewHandle } from './LogView';
import { formatSince } from './LogViewRow';

const lines = Array.from({ length: 100_000 }, (_, index) => toLine(index, false, `line ${index}`));

function view(props: Partial<Parameters<typeof LogView>[0]> = {}) {
  return (
    <LogView
      label="Log"
      lines={lines}
      version={1}
      base={0}
      firstNumber={1}
      times="none"
      search=""
      follow={false}
      onFollow={vi.fn<(follow: boolean) => void>()}
      {...props}
    />
  );
}

const scroller = (container: HTMLElement) => container.querySelector<HTMLElement>('[role="log"]')!;

describe('the log view', () => {
  it('draws a screenful of a long log, not all of it', () => {
    const { container } = render(view());
    const drawn = container.querySelectorAll('[data-number]').length;
    expect(drawn).toBeGreaterThanOrEqual(15);
    expect(drawn).toBeLessThan(120);
  });

  it('keeps the rows it has when only more lines arrive', () => {
    const { container, rerender } = render(view());
    const before = container.querySelector('[data-number="5"]');
    rerender(view({ version: 2, lines: [...lines, toLine(0, false, 'new')] }));
    expect(container.querySelector('[data-number="5"]')).toBe(before);
  });

  it('marks what is searched for', () => {
    const { container } = render(view({ search: 'LINE 7' }));
    expect([...container.querySelectorAll('mark')].map((mark) => mark.textContent)).toContain('line 7');
  });

  it('stays with the lines being read when earlier ones come in front', () => {
    const { container, rerender } = render(view({ lines: lines.slice(500), base: 0 }));
    scroller(container).scrollTop = 1000;
    rerender(view({ version: 2, lines, base: -500 }));
    expect(scroller(container).scrollTop).toBe(1000 + 500 * LINE_HEIGHT);
  });

  it('stays with them when the oldest leave', () => {
    const { container, rerender } = render(view());
    scroller(container).scrollTop = 20_000;
    rerender(view({ version: 2, lines: lines.slice(100), base: 100 }));
    expect(scroller(container).scrollTop).toBe(20_000 - 100 * LINE_HEIGHT);
  });

  it('goes to a line, and to a moment', () => {
    const handle: { current: LogViewHandle | null } = { current: null };
    const { container } = render(
      view({
        base: 7,
        ref: (made) => {
          handle.current = made;
        },
      }),
    );
    handle.current!.reveal(507);
    expect(scroller(container).scrollTop).toBe(500 * LINE_HEIGHT);
    handle.current!.revealTime(900);
    expect(scroller(container).scrollTop).toBe(900 * LINE_HEIGHT);
  });

  it('fits a million lines into what browsers can draw', () => {
    const { container } = render(view({ lines: Array.from({ length: 1_000_000 }, () => lines[0]!) }));
    const height = Number.parseFloat(container.querySelector<HTMLElement>('[role="log"] > div')!.style.height);
    expect(height).toBeLessThan(17_000_000);
  });

  it('asks for earlier lines when the reader nears the first one', () => {
    const near = vi.fn<() => void>();
    const { container } = render(view({ onNearTop: near }));
    scroller(container).scrollTop = 5000;
    fireEvent.scroll(scroller(container));
    expect(near).not.toHaveBeenCalled();
    scroller(container).scrollTop = 100;
    fireEvent.scroll(scroller(container));
    expect(near).toHaveBeenCalledOnce();
  });

  it('tells which line was picked by its number', () => {
    const picked = vi.fn<(line: unknown, number: number) => void>();
    const { container } = render(view({ base: 40, onPick: picked }));
    fireEvent.click(container.querySelector('[data-number="3"]')!);
    expect(picked).toHaveBeenCalledWith(lines[2], 42);
  });

  it('gives wrapped lines as many rows as they take', () => {
    const long = [toLine(0, false, 'x'.repeat(500)), toLine(1, false, 'short')];
    const { container } = render(view({ lines: long, wrap: true }));
    const rows = [...container.querySelectorAll<HTMLElement>('[data-line]')].map((row) =>
      Number.parseFloat(row.style.height || String(LINE_HEIGHT)),
    );
    expect(rows[0]).toBeGreaterThan(LINE_HEIGHT);
    expect(rows[1]).toBe(LINE_HEIGHT);
  });
});

describe('times since the start', () => {
  it.each([
    [0, '+0:00.000'],
    [62_045, '+1:02.045'],
    [3_723_004, '+1:02:03.004'],
    [-500, '-0:00.500'],
  ])('of %i ms are %s', (milliseconds, text) => {
    expect(formatSince(milliseconds)).toBe(text);
  });
});
