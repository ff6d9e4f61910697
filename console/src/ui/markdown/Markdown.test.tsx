import { render } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import Markdown from './Markdown';

const drawn = (text: string) => render(<Markdown text={text} />).container.firstElementChild!;

describe('Markdown', () => {
  it('becomes headings, lists, tables, quotes and code', () => {
    const shown = drawn(
      '# CIFAR\n\nSmall *colour* **images**.\n\n- train\n- test\n  1. a\n  2. b\n\n| split | n |\n|---|--:|\n| train | 50 `k` |\n\n> free\n\n```\nx = 1\n\n# no heading\n```\n---\nend',
    );
    expect([...shown.children].map(({ tagName }) => tagName)).toEqual(['H3', 'P', 'UL', 'DIV', 'BLOCKQUOTE', 'PRE', 'HR', 'P']);
    expect(shown.querySelector('ul > li:last-child ol')!.textContent).toBe('ab');
    expect([...shown.querySelectorAll('td')].map(({ textContent }) => textContent)).toEqual(['train', '50 k']);
    expect(shown.querySelector('pre')!.textContent).toBe('x = 1\n\n# no heading');
  });

  it('leads to the web and to mail, and nowhere else', () => {
    const shown = drawn(
      '[a](https://example.org/x) [b](javascript:alert(1)) [c](JaVaScRiPt:x) [d](data:text/html,x) [e](//evil) [f](mailto:a@b.c) <https://c.d>',
    );
    expect([...shown.querySelectorAll('a')].map((link) => link.getAttribute('href'))).toEqual([
      'https://example.org/x',
      'mailto:a@b.c',
      'https://c.d',
    ]);
    expect([...shown.querySelectorAll('a')].every(({ rel }) => rel.includes('noreferrer'))).toBe(true);
  });

  it('holds no HTML and fetches nothing', () => {
    const shown = drawn('<img src=x onerror=alert(1)> <script>alert(1)</script>\n\n![a plot](https://evil/x.png) after');
    expect(shown.querySelectorAll('img, script, [onerror]')).toHaveLength(0);
    expect(shown.textContent).toContain('<script>alert(1)</script>');
    expect(shown.textContent).toContain('a plot after');
  });

  it('takes what nobody writes in good time', () => {
    const began = performance.now();
    drawn(
      `${'> '.repeat(2000)}x\n${'- '.repeat(2000)}\n${'*'.repeat(20_000)}\n${'['.repeat(20_000)}\n${'|-'.repeat(5000)}\n${'`'.repeat(20_000)}`,
    );
    expect(performance.now() - began).toBeLessThan(20_000);
  });
});
