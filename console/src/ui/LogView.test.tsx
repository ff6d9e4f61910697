import { render } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { toLine } from './log-lines';
import { LINE_HEIGHT, LogView } from './LogView';

const lines = Array.from({ length: 100_000 }, (_, index) => toLine(index, false, `line ${index}`));

function view(props: Partial<Parameters<typeof LogView>[0]> = {}) {
  return (
    <LogView
      label="Log"
      lines={lines}
      version={1}
      firstNumber={1}
      timestamps={false}
      search=""
      follow={false}
      onFollow={vi.fn<(follow: boolean) => void>()}
      {...props}
    />
  );
}

describe('the log view', () => {
  it('draws a screenful of a long log, not all of it', () => {
    const { container } = render(view());
    const drawn = container.querySelectorAll('[data-number]').length;
    expect(drawn).toBeGreaterThanOrEqual(20);
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
    const { container, rerender } = render(view({ lines: lines.slice(500) }));
    const scroller = container.querySelector('[role="log"]')!;
    scroller.scrollTop = 40;
    rerender(view({ version: 2 }));
    expect(scroller.scrollTop).toBe(40 + 500 * LINE_HEIGHT);
  });

  it('shows no numbers where the beginning is not loaded', () => {
    const { container } = render(view({ firstNumber: null }));
    expect(container.querySelectorAll('[data-number]')).toHaveLength(0);
  });
});
