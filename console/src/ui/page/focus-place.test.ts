import { beforeEach, describe, expect, it } from 'vitest';
import { rememberPlace } from './focus-place';

const draw = (html: string) => {
  document.body.innerHTML = `<main tabindex="-1">${html}</main>`;
};
const get = (id: string) => document.getElementById(id)!;

const row = (index: number) =>
  `<tr data-index="${index}"><td><input><a href="#" data-row-link id="link${index}"></a><button id="menu${index}"></button></td></tr>`;
const table = (rows: number[]) => `<div id="region" tabindex="0"><table><tbody id="body">${rows.map(row).join('')}</tbody></table></div>`;

/** Focuses one, takes something away, and says who has the focus then. */
function after(focused: string, gone: () => void): string | undefined {
  get(focused).focus();
  const back = rememberPlace(get(focused));
  gone();
  back();
  return document.activeElement?.id || document.activeElement?.tagName;
}

describe('the focus whose element is gone', () => {
  beforeEach(() =>
    draw('<ul><li><button id="a"></button></li><li><button id="b"></button></li><li><button id="c"></button></li></ul><input id="below">'),
  );

  it('stays while the element does', () => {
    expect(after('b', () => get('a').parentElement!.remove())).toBe('b');
  });

  it('goes to what took its place, or to the one before', () => {
    expect(after('b', () => get('b').parentElement!.remove())).toBe('c');
    expect(after('c', () => get('c').parentElement!.remove())).toBe('a');
  });

  it('goes to what follows where the whole group is gone', () => {
    expect(after('a', () => get('a').closest('ul')!.remove())).toBe('below');
  });

  it('goes to the page where nothing near can have it', () => {
    draw('<p><button id="only"></button></p>');
    expect(after('only', () => get('only').remove())).toBe('MAIN');
  });
});

describe('the focus in a long table', () => {
  beforeEach(() => draw(table([0, 1, 2])));

  it('goes to the job that took the place of a deleted one', () => {
    expect(
      after('menu1', () => {
        get('body').innerHTML = row(0) + row(1);
      }),
    ).toBe('link1');
    expect(
      after('menu1', () => {
        get('body').innerHTML = row(0);
      }),
    ).toBe('link0');
  });

  it('goes to the table where its row was scrolled away', () => {
    expect(
      after('menu1', () => {
        get('body').innerHTML = row(40) + row(41);
      }),
    ).toBe('region');
  });
});
