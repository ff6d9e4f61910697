import { act, fireEvent, render, screen } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { SearchBox } from './SearchBox';

const sent: string[] = [];
const box = (value: string) => <SearchBox label="Search" hint="by name" value={value} onChange={(text) => sent.push(text)} />;
const field = () => screen.getByRole<HTMLInputElement>('searchbox', { name: 'Search' });
const type = (text: string) => fireEvent.change(field(), { target: { value: text } });
const wait = (time: number) => act(() => vi.advanceTimersByTime(time));

describe('a search box', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    sent.length = 0;
  });

  it('sends what was typed once one pauses', () => {
    render(box(''));
    type('a');
    wait(100);
    type('ab');
    wait(250);
    expect(sent).toEqual(['ab']);
  });

  it('loses no letter that is typed while the address changes', () => {
    const { rerender } = render(box(''));
    type('ab');
    wait(250);
    type('abc');
    rerender(box('ab'));
    expect(field().value).toBe('abc');
    wait(250);
    type('abcd');
    wait(250);
    rerender(box('abc'));
    expect(field().value).toBe('abcd');
    expect(sent).toEqual(['ab', 'abc', 'abcd']);
  });

  it('keeps a space at the end while one pauses', () => {
    const { rerender } = render(box(''));
    type('node ');
    wait(250);
    rerender(box('node'));
    wait(2000);
    expect(field().value).toBe('node ');
  });

  it('follows a reset or a view, and forgets what was not sent yet', () => {
    const { rerender } = render(box('old'));
    type('old thing');
    rerender(box('view'));
    wait(2000);
    expect(field().value).toBe('view');
    expect(sent).toEqual([]);
  });

  it('sends at once when it is left, and gives in to what overtakes it', () => {
    render(box(''));
    type('ab');
    fireEvent.blur(field());
    wait(0);
    expect(sent).toEqual(['ab']);
    wait(1000);
    expect(field().value).toBe('');
  });
});
