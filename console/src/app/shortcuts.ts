/** Keyboard shortcuts: one registry for the frame and the pages. Silent while someone types, and never in the browser's way. */
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { pressed } from './shortcut-keys';
import { remember, stored } from './storage';

export interface Shortcut {
  /** One press ("n", "?", "mod+k") or several after another ("g j"). */
  keys: string;
  /** What it does, for the help sheet. */
  label: string;
  action: (event: KeyboardEvent) => void;
  /** A page's goes before one of the whole console with the same keys. */
  scope: 'page' | 'global';
}

export type ShortcutOptions = { scope?: Shortcut['scope']; enabled?: boolean };

/** Offers a shortcut while the component is on the page. */
export function useShortcut(
  keys: string,
  label: string,
  action: Shortcut['action'],
  { scope = 'page', enabled = true }: ShortcutOptions = {},
): void {
  const latest = useRef(action);
  useEffect(() => {
    latest.current = action;
  });
  useEffect(() => {
    if (!enabled) return undefined;
    return register({ keys, label, scope, action: (event) => latest.current(event) });
  }, [keys, label, scope, enabled]);
}

/** What works now, each key once. */
export function useShortcuts(): readonly Shortcut[] {
  return useSyncExternalStore(watch, () => active);
}

/** Whether keys without Ctrl or ⌘ do anything: people who dictate, or brush keys by accident, turn them off. */
export function useSingleKeys(): [on: boolean, change: (on: boolean) => void] {
  return [useSyncExternalStore(watch, () => singleKeys), changeSingleKeys];
}

const SINGLE_KEYS = 'danlu.single-keys';
const SEQUENCE_MS = 1200;

let registered: Shortcut[] = [];
let active: readonly Shortcut[] = [];
let singleKeys = stored(SINGLE_KEYS) !== 'off';
let begun: string[] = [];
let begunAt = 0;
const watchers = new Set<() => void>();

export function register(shortcut: Shortcut): () => void {
  if (registered.length === 0) addEventListener('keydown', onKeyDown);
  change([...registered, shortcut]);
  return () => {
    change(registered.filter((other) => other !== shortcut));
    if (registered.length === 0) removeEventListener('keydown', onKeyDown);
  };
}

function change(next: Shortcut[]): void {
  registered = next;
  active = effective(next);
  for (const watcher of watchers) watcher();
}

/** Of several with the same keys, the page's before the console's, the latest before the older. */
export function effective(all: readonly Shortcut[]): Shortcut[] {
  return all.filter((one, at) => {
    const rivals = all.map((other, place) => ({ other, place })).filter(({ other }) => other.keys === one.keys);
    return rivals.every(({ other, place }) => (rank(one) - rank(other) || at - place) >= 0);
  });
}

const rank = ({ scope }: Shortcut) => (scope === 'page' ? 1 : 0);

function onKeyDown(event: KeyboardEvent): void {
  if (event.defaultPrevented) return;
  const key = pressed(event);
  if (key === null) return;
  const plain = !key.startsWith('mod+');
  if ((plain && (!singleKeys || isTyping(event.target))) || inDialog()) {
    begun = [];
    return;
  }
  const fresh = event.timeStamp - begunAt > SEQUENCE_MS ? [] : begun;
  const { found, rest } = follow(active, fresh, key);
  begun = rest;
  begunAt = event.timeStamp;
  if (!found) return;
  event.preventDefault();
  found.action(event);
}

/** What one more key completes, and what is begun after it; a key that leads nowhere begins anew. */
export function follow(all: readonly Shortcut[], before: readonly string[], key: string): { found?: Shortcut | undefined; rest: string[] } {
  const keys = [...before, key];
  const text = keys.join(' ');
  const found = all.find((one) => one.keys === text);
  if (found) return { found, rest: [] };
  if (all.some((one) => one.keys.startsWith(`${text} `))) return { rest: keys };
  return before.length > 0 ? follow(all, [], key) : { rest: [] };
}

const WRITES =
  'input:not([type="checkbox"], [type="radio"], [type="button"]), textarea, select, [contenteditable]:not([contenteditable="false"])';
/** Lists and menus find their items by letters. */
const FINDS = '[role="menu"], [role="listbox"], [role="combobox"]';

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(`${WRITES}, ${FINDS}`) !== null;
}

function inDialog(): boolean {
  return document.querySelector('[role="dialog"][aria-modal="true"], dialog[open]') !== null;
}

function changeSingleKeys(on: boolean): void {
  singleKeys = on;
  remember(SINGLE_KEYS, on ? null : 'off');
  for (const watcher of watchers) watcher();
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}
