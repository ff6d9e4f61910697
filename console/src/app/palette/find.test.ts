import { describe, expect, it } from 'vitest';
import { find } from './find';

const items = [
  { label: 'Scores' },
  { label: 'New job', words: 'submit create' },
  { label: 'Jobs' },
  { label: 'System theme', words: 'theme auto' },
  { label: 'Nodes', topics: 'maintenance 维护' },
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

  it('takes what is there by the beginnings of its words', () => {
    expect(labels('mainte')).toEqual(['Nodes']);
    expect(labels('nodes 维护')).toEqual(['Nodes']);
    expect(labels('tenance')).toEqual([]);
  });

  it('needs every word', () => {
    expect(labels('new theme')).toEqual([]);
  });
});
