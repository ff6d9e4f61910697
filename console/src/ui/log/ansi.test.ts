import { describe, expect, it } from 'vitest';
import { afterReturns, parseAnsi, stripAnsi } from './ansi';

const ESC = '\u001B';

describe('terminal colours', () => {
  it('become segments', () => {
    expect(parseAnsi(`${ESC}[32mINFO${ESC}[0m ready`)).toEqual([{ text: 'INFO', color: 2 }, { text: ' ready' }]);
  });

  it('add up until they are reset', () => {
    expect(parseAnsi(`${ESC}[1m${ESC}[91mbad${ESC}[22m!`)).toEqual([
      { text: 'bad', bold: true, color: 9 },
      { text: '!', color: 9 },
    ]);
  });

  it('skip the arguments of colours that we do not have', () => {
    expect(parseAnsi(`${ESC}[38;2;10;20;30mtrue${ESC}[39m ${ESC}[38;5;1mred`)).toEqual([
      { text: 'true' },
      { text: ' ' },
      { text: 'red', color: 1 },
    ]);
  });

  it('leave plain lines alone', () => {
    expect(parseAnsi('plain [32m')).toEqual([{ text: 'plain [32m' }]);
  });

  it('are taken out for searching, with cursor moves and titles', () => {
    expect(stripAnsi(`${ESC}[2K${ESC}]0;title\u0007${ESC}[1mbold${ESC}[0m`)).toBe('bold');
  });
});

describe('carriage returns', () => {
  it('leave the last state of a progress line', () => {
    expect(afterReturns(' 10%\r 50%\r100%')).toBe('100%');
  });

  it('do not empty a line that ends with one', () => {
    expect(afterReturns(' 10%\r 50%\r')).toBe(' 50%');
    expect(afterReturns('windows\r')).toBe('windows');
  });
});
