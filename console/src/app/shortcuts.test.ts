import { fireEvent, renderHook } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { keycaps, pressed } from './shortcut-keys';
import { effective, follow, useShortcut, useShortcuts, useSingleKeys } from './shortcuts';
import type { Shortcut } from './shortcuts';

const shortcut = (keys: string, scope: Shortcut['scope'] = 'global', label = keys): Shortcut => ({
  keys,
  label,
  scope,
  action: () => undefined,
});
const key = (name: string, more: Partial<KeyboardEventInit> = {}) => new KeyboardEvent('keydown', { key: name, ...more });
const press = (name: string, at: Element = document.body, more: KeyboardEventInit = {}) => fireEvent.keyDown(at, { key: name, ...more });
const field = (id: string) => document.getElementById(id)!;

describe('the name of a key', () => {
  it.each([
    [key('j'), 'j'],
    [key('J'), 'j'],
    [key('J', { shiftKey: true }), 'shift+j'],
    [key('?', { shiftKey: true }), '?'],
    [key('k', { ctrlKey: true }), 'mod+k'],
    [key('Enter', { shiftKey: true }), 'shift+Enter'],
    [key('о', { code: 'KeyJ' }), 'j'],
  ])('is what is written for it', (event, name) => {
    expect(pressed(event, false)).toBe(name);
  });

  it('is ⌘ and not Ctrl on a Mac', () => {
    expect(pressed(key('k', { metaKey: true }), true)).toBe('mod+k');
    expect(pressed(key('k', { ctrlKey: true }), true)).toBeNull();
  });

  it.each([key('Shift'), key('Process'), key('x', { altKey: true }), key('x', { isComposing: true }), key('x', { metaKey: true })])(
    'is none for what belongs to the system or to a half-written character',
    (event) => {
      expect(pressed(event, false)).toBeNull();
    },
  );

  it('is drawn as keycaps', () => {
    expect(keycaps('g j', false)).toEqual([['G'], ['J']]);
    expect(keycaps('mod+k', false)).toEqual([['Ctrl', 'K']]);
    expect(keycaps('mod+k', true)).toEqual([['⌘', 'K']]);
    expect(keycaps('?', false)).toEqual([['?']]);
  });
});

describe('of several shortcuts with the same keys', () => {
  it('the page’s goes before the console’s, whichever came first', () => {
    const [mine, yours] = [shortcut('/', 'page'), shortcut('/', 'global')];
    expect(effective([yours, mine])).toEqual([mine]);
    expect(effective([mine, yours])).toEqual([mine]);
  });

  it('the latest counts', () => {
    const [older, newer, other] = [shortcut('n', 'page', 'older'), shortcut('n', 'page', 'newer'), shortcut('j', 'page')];
    expect(effective([older, other, newer])).toEqual([other, newer]);
  });
});

describe('a sequence', () => {
  const all = [shortcut('g j'), shortcut('g q'), shortcut('n')];

  it('is complete after its last key', () => {
    const begun = follow(all, [], 'g');
    expect(begun).toEqual({ rest: ['g'] });
    expect(follow(all, begun.rest, 'j').found).toBe(all[0]);
  });

  it('that leads nowhere begins anew with the last key', () => {
    expect(follow(all, ['g'], 'n').found).toBe(all[2]);
    expect(follow(all, ['g'], 'g')).toEqual({ rest: ['g'] });
    expect(follow(all, ['g'], 'x')).toEqual({ rest: [] });
  });
});

describe('a shortcut', () => {
  beforeEach(() => {
    document.body.innerHTML =
      '<main tabindex="-1"></main><input id="field"><input id="box" type="checkbox"><ul role="menu"><li id="item"></li></ul>';
  });

  it('works while its component is there, with the latest action', () => {
    const [first, second] = [vi.fn<() => void>(), vi.fn<() => void>()];
    const { rerender, unmount } = renderHook(({ action }) => useShortcut('n', 'New job', action), { initialProps: { action: first } });
    press('n');
    rerender({ action: second });
    press('n');
    unmount();
    press('n');
    expect([first.mock.calls.length, second.mock.calls.length]).toEqual([1, 1]);
  });

  it('takes the key from the browser only when it acts', () => {
    renderHook(() => useShortcut('/', 'Search', () => undefined));
    expect(press('/')).toBe(false);
    expect(press('x')).toBe(true);
    expect(press('/', document.body, { ctrlKey: true })).toBe(true);
  });

  it('is silent while someone types or searches a menu, unless it needs Ctrl', () => {
    const [plain, withControl] = [vi.fn<() => void>(), vi.fn<() => void>()];
    renderHook(() => useShortcut('n', 'New job', plain));
    renderHook(() => useShortcut('mod+k', 'Search', withControl));
    press('n', field('field'));
    press('n', field('item'));
    expect(plain).not.toHaveBeenCalled();
    press('n', field('box'));
    expect(plain).toHaveBeenCalledOnce();
    press('k', field('field'), { ctrlKey: true });
    expect(withControl).toHaveBeenCalledOnce();
  });

  it('is silent under a dialog and after a key that another has used', () => {
    const action = vi.fn<() => void>();
    renderHook(() => useShortcut('n', 'New job', action));
    document.body.insertAdjacentHTML('beforeend', '<div role="dialog" aria-modal="true"></div>');
    press('n');
    document.querySelector('[role=dialog]')!.remove();
    document.querySelector('main')!.addEventListener('keydown', (event) => event.preventDefault());
    press('n', document.querySelector('main')!);
    expect(action).not.toHaveBeenCalled();
  });

  it('without Ctrl can be turned off for good', () => {
    const action = vi.fn<() => void>();
    renderHook(() => useShortcut('n', 'New job', action));
    const { result } = renderHook(() => useSingleKeys());
    result.current[1](false);
    press('n');
    expect(action).not.toHaveBeenCalled();
    expect(localStorage.getItem('danlu.single-keys')).toBe('off');
    result.current[1](true);
    press('n');
    expect(action).toHaveBeenCalledOnce();
  });

  it('is listed as long as it is enabled', () => {
    const { rerender } = renderHook(({ enabled }) => useShortcut('x', 'Cross out', () => undefined, { enabled }), {
      initialProps: { enabled: true },
    });
    const { result } = renderHook(() => useShortcuts().map(({ label }) => label));
    expect(result.current).toEqual(['Cross out']);
    rerender({ enabled: false });
    const after = renderHook(() => useShortcuts().map(({ label }) => label));
    expect(after.result.current).toEqual([]);
  });
});
