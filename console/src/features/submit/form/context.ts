/** What every field of the form shares: the file, the way to change it, and what is wrong where. */
import { createContext, useContext, useMemo, useState } from 'react';
import type { Advice, GivenSize, JobFile } from '@/api/jobs';
import type { FieldError } from '@/api/problem';
import { useT } from '@/app/i18n';
import type { Edit, Path } from '@/parts/jobs/job-file-edit';
import { isInside } from '../file/mistakes';
import type { Choices } from '../useChoices';

export interface FormState {
  file: JobFile;
  apply: (edits: Edit[]) => void;
  choices: Choices;
  /** What could be better, and is not wrong. */
  advice: readonly Advice[];
  /** What goes with GPUs where the file does not say it. */
  given: readonly GivenSize[];
  /** Which run of its name a new job would be; undefined where one is edited or the name is none. */
  run: number | undefined;
  replaces: boolean;
  setReplaces: (replaces: boolean) => void;
  /** The job whose earlier runs this one follows: it is edited, or began the new one. */
  earlier: string | undefined;
  /** Mistakes that the person should see by now. */
  shown: FieldError[];
  /** The person is typing into this field, or has left it. */
  typing: (path: Path) => void;
  leave: (path: Path) => void;
}

/** What is merely not filled in yet is no mistake before its field was visited. */
export const EMPTY: ReadonlySet<string> = new Set(['missing', 'too_short']);

export const FormContext = createContext<FormState | null>(null);

export function useForm(): FormState {
  const form = useContext(FormContext);
  if (!form) throw new Error('a field outside the form');
  return form;
}

/** No more typing makes these right. */
const CERTAIN = 'out_of_range';

/**
 * A mistake that more typing may mend is not shown while its field is first typed into, but once it was left; all of them after an attempt
 * to submit.
 */
export function useShown(mistakes: FieldError[], attempted: boolean): Pick<FormState, 'shown' | 'typing' | 'leave'> {
  const [typing, setTyping] = useState<string | null>(null);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const shown = useMemo(
    () =>
      mistakes.filter(({ loc, code }) => {
        const place = loc.join('.');
        return attempted || left.has(place) || (!EMPTY.has(code) && (place !== typing || code === CERTAIN));
      }),
    [mistakes, attempted, left, typing],
  );
  return {
    shown,
    typing: (path) => setTyping(path.join('.')),
    leave: (path) => {
      setTyping(null);
      setLeft((known) => new Set(known).add(path.join('.')));
    },
  };
}

/** Says value, bound and hint of what is wrong with exactly this field. */
export function useMistake(path: Path): string | null {
  const t = useT();
  const place = path.join('.');
  const error = useForm().shown.find(({ loc }) => loc.join('.') === place);
  if (!error) return null;
  return error.hint ? error.message + t('mistake.hint', { hint: error.hint }) : error.message;
}

/** What could be better at these places; with `inside`, also of what they hold. */
export function useAdvice(paths: readonly Path[], inside = false): Advice[] {
  const holds = (loc: Path) => paths.some((path) => isInside(loc, path) && (inside || loc.length === path.length));
  return useForm().advice.filter(({ loc }) => holds(loc));
}

/** How many mistakes are shown under any of these. */
export function countInside(shown: FieldError[], holders: readonly Path[]): number {
  return shown.filter(({ loc }) => holders.some((holder) => isInside(loc, holder))).length;
}

export function fieldId(path: Path): string {
  return `field-${path.join('-')}`;
}

/** Puts the caret into the field of a path, or the nearest one around it; false where the form has none. */
export function focusField(path: Path): boolean {
  for (let depth = path.length; depth > 0; depth -= 1) {
    const found = document.getElementById(fieldId(path.slice(0, depth)));
    const control = found?.matches('input, textarea, select, button')
      ? found
      : found?.querySelector<HTMLElement>('input, textarea, select, button');
    if (!control) continue;
    control.scrollIntoView({ block: 'center' });
    control.focus({ preventScroll: true });
    return true;
  }
  return false;
}
