import { describe, expect, it } from 'vitest';
import { find } from './find';

const items = [
  { label: 'Scores' },
  { label: 'New job', words: 'submit create' },
  { label: 'Jobs' },
  { label: 'System theme', words: 'theme auto' },
  { label: '切换到 English', words: 'language 语言' },
];
const labels = (typed: string) => find(typed, items).map(({ label }) => label);

describe('finding a command', () => {
  it('finds everything by nothing', () => {
    expect(labels('  ')).toHaveLength(items.length);
  });

  it('puts what begins with the words first', () => {
    expect(labels('job')).toEqual(['Jobs', 'New job']);
  });

  it('takes words in any order and case', () => {
    expect(labels('SYSTEM theme')).toEqual(['System theme']);
  });

  it('knows other words for the same', () => {
    expect(labels('submit')).toEqual(['New job']);
    expect(labels('语言')).toEqual(['切换到 English']);
  });

  it('needs every word', () => {
    expect(labels('new theme')).toEqual([]);
  });
});
