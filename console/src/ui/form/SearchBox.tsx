/** A box that filters what is below it: what is typed goes into the address a moment later, and the address fills the box. */
import { useEffect, useRef, useState } from 'react';
import { useShortcut } from '@/app/shortcuts';
import { Icon } from '@/ui/icons';
import style from './SearchBox.module.css';

interface Props {
  label: string;
  hint: string;
  /** What the address holds, without spaces around it. */
  value: string;
  onChange: (text: string) => void;
}

const SETTLE_MS = 250;
/** By then what was sent has come back, or was overtaken by something else. */
const ARRIVE_MS = 1000;

export function SearchBox({ label, hint, value, onChange }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useTyping(value, onChange);
  useShortcut('/', label, () => input.current?.focus());
  return (
    <label className={style.box}>
      <Icon name="search" size={14} />
      <input
        ref={input}
        type="search"
        aria-label={label}
        placeholder={hint}
        maxLength={200}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onBlur={() => setText(text, 0)}
      />
      {text === '' && (
        <kbd className={style.key} aria-hidden="true">
          /
        </kbd>
      )}
    </label>
  );
}

/**
 * The text in the box, and what changes it: the person by typing; a reset, a view or a link by the address. What is being typed always
 * stays.
 */
function useTyping(value: string, onChange: (text: string) => void): [text: string, type: (text: string, wait?: number) => void] {
  const [text, setText] = useState(value);
  /** What is on its way to the address, the latest last; the first is what the address holds. */
  const sent = useRef([value]);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const latest = useRef({ value, onChange });
  useEffect(() => {
    latest.current = { value, onChange };
  });
  const takeOver = (now: string) => {
    clearTimeout(timer.current);
    sent.current = [now];
    setText(now);
  };
  useEffect(() => {
    const at = sent.current.lastIndexOf(value);
    if (at === -1) takeOver(value);
    else sent.current = sent.current.slice(at);
  }, [value]);
  useEffect(() => () => clearTimeout(timer.current), []);

  const type = (next: string, wait = SETTLE_MS) => {
    const wanted = next.trim();
    setText(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      if (wanted !== sent.current.at(-1)) {
        sent.current.push(wanted);
        latest.current.onChange(wanted);
      }
      timer.current = setTimeout(() => {
        if (latest.current.value !== wanted) takeOver(latest.current.value);
      }, ARRIVE_MS);
    }, wait);
  };
  return [text, type];
}
