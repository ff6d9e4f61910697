/** A terminal in the page; heavy, so pages load it lazily. */
import { FitAddon } from '@xterm/addon-fit';
import { Terminal as Screen } from '@xterm/xterm';
import type { ITheme } from '@xterm/xterm';
import '@xterm/xterm/css/xterm.css';
import type { Ref } from 'react';
import { useEffect, useEffectEvent, useImperativeHandle, useRef } from 'react';
import { MONO } from '@/app/theme';
import { copyText } from '@/ui/words/clipboard';
import { TerminalConnection } from './Terminal-connection';
import type { TerminalQuery, TerminalState } from './Terminal-connection';
import { leavesTerminal } from './Terminal-keys';
import { tokenColour, watchTheme } from '@/ui/theme/theme-colours';
import style from './Terminal.module.css';

export type { TerminalState } from './Terminal-connection';

export interface TerminalHandle {
  /** Copies what is selected; tells whether anything was. */
  copy(): boolean;
  paste(text: string): void;
}

interface Props {
  label: string;
  /** Where to connect; it must stay the same function while the session shall stay the same. */
  url: (query: TerminalQuery) => string;
  onState: (state: TerminalState) => void;
  /** The session that was left here before, given once; and where to leave one. */
  takeSession: () => string | undefined;
  keepSession: (session: string) => void;
  /** The person pressed the keys that leave the terminal. */
  onLeave: () => void;
  screenReader: boolean;
  ref?: Ref<TerminalHandle>;
}

export default function Terminal({ label, url, onState, onLeave, takeSession, keepSession, screenReader, ref }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const screen = useRef<Screen | null>(null);
  const told = useEffectEvent(onState);
  const left = useEffectEvent(onLeave);
  const take = useEffectEvent(takeSession);
  const keep = useEffectEvent((session: string | undefined) => session !== undefined && keepSession(session));

  useEffect(() => {
    const made = new Screen({
      fontFamily: MONO,
      fontSize: 13,
      lineHeight: 1.2,
      scrollback: 10_000,
      cursorBlink: false,
      theme: colours(),
      minimumContrastRatio: 4.5,
    });
    const fit = new FitAddon();
    made.loadAddon(fit);
    made.open(place.current!);
    fit.fit();
    screen.current = made;
    const connection = new TerminalConnection(
      { cols: made.cols, rows: made.rows },
      {
        url,
        session: take(),
        onOutput: (bytes) => made.write(bytes),
        onState: (state) => {
          made.options.disableStdin = state.kind !== 'open';
          told(state);
        },
      },
    );
    made.onData((text) => connection.write(text));
    made.attachCustomKeyEventHandler((event) => keyOf(event, made, left));
    made.focus();

    const resize = new ResizeObserver(() => {
      // A tab that is out of sight has no size.
      if (!place.current?.clientWidth) return;
      fit.fit();
      connection.resize({ cols: made.cols, rows: made.rows });
    });
    resize.observe(place.current!);
    const unwatch = watchTheme(() => {
      made.options.theme = colours();
    });
    const hurry = () => connection.hurry();
    const leaving = () => keep(connection.session);
    addEventListener('online', hurry);
    addEventListener('pagehide', leaving);
    return () => {
      removeEventListener('online', hurry);
      removeEventListener('pagehide', leaving);
      leaving();
      unwatch();
      resize.disconnect();
      connection.close();
      made.dispose();
      screen.current = null;
    };
  }, [url]);

  useEffect(() => {
    if (screen.current) screen.current.options.screenReaderMode = screenReader;
  }, [screenReader, url]);
  useEffect(() => screen.current?.textarea?.setAttribute('aria-label', label), [label, url]);

  useImperativeHandle(
    ref,
    () => ({
      copy: () => copySelection(screen.current),
      paste: (text) => {
        screen.current?.paste(text);
        screen.current?.focus();
      },
    }),
    [],
  );

  return <div ref={place} className={style.terminal} />;
}

/** Keys that do not go to the program: leaving, and copying what is selected. */
function keyOf(event: KeyboardEvent, screen: Screen, onLeave: () => void): boolean {
  if (event.type !== 'keydown' || !event.ctrlKey) return true;
  if (leavesTerminal(event)) {
    event.preventDefault();
    onLeave();
    return false;
  }
  if (event.key.toLowerCase() === 'c' && (event.shiftKey || screen.hasSelection()) && copySelection(screen)) {
    event.preventDefault();
    screen.clearSelection();
    return false;
  }
  // Left to the browser, which pastes.
  return event.key.toLowerCase() !== 'v';
}

function copySelection(screen: Screen | null): boolean {
  if (!screen?.hasSelection()) return false;
  void copyText(screen.getSelection());
  return true;
}

function colours(): ITheme {
  const [text, muted, red, green, amber, blue, violet, accent] = ['text', 'muted', 'red', 'green', 'amber', 'blue', 'violet', 'accent'].map(
    tokenColour,
  );
  const palette = { black: muted, red, green, yellow: amber, blue, magenta: violet, cyan: accent, white: text };
  const bright = Object.fromEntries(
    Object.entries(palette).map(([name, colour]) => [`bright${name[0]!.toUpperCase()}${name.slice(1)}`, colour]),
  );
  return {
    ...palette,
    ...bright,
    background: tokenColour('sunken'),
    foreground: text,
    cursor: accent,
    cursorAccent: tokenColour('sunken'),
    selectionBackground: `${accent}55`,
    scrollbarSliderBackground: tokenColour('border-strong'),
  } as ITheme;
}
