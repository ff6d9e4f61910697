/** Any number of several, in a box that scrolls where there are many. */
import { useId } from 'react';
import layout from '@/ui/page/layout.module.css';
import ink from '@/ui/theme/ink.module.css';
import style from './CheckList.module.css';

export interface CheckOption {
  value: string;
  label: string;
  hint?: string | undefined;
  disabled?: boolean;
}

interface Props {
  label: string;
  /** Said below the label. */
  description?: string | undefined;
  error?: string | undefined;
  /** What stands there where there is nothing to choose. */
  empty?: string;
  options: readonly CheckOption[];
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
  /** The label is for screen readers only. */
  bare?: boolean;
}

export function CheckList({ label, description, error, empty, options, chosen, onChange, bare }: Props) {
  const id = useId();
  const toggle = (value: string) => onChange(chosen.includes(value) ? chosen.filter((other) => other !== value) : [...chosen, value]);
  return (
    <fieldset className={layout.bare} aria-describedby={`${id}-more`}>
      <legend className={bare ? 'visually-hidden' : style.label}>{label}</legend>
      <div id={`${id}-more`}>
        {description && <p className={ink.finer}>{description}</p>}
        {error && <p className={ink.error}>{error}</p>}
      </div>
      {options.length === 0 && empty && <p className={ink.finer}>{empty}</p>}
      {options.length > 0 && (
        <div className={bare ? undefined : style.box}>
          {options.map(({ value, label: text, hint, disabled }) => (
            <label key={value} className={style.option} data-disabled={disabled || undefined}>
              <input type="checkbox" checked={chosen.includes(value)} disabled={disabled} onChange={() => toggle(value)} />
              <span>
                {text}
                {hint && <span className={ink.finer}> {hint}</span>}
              </span>
            </label>
          ))}
        </div>
      )}
    </fieldset>
  );
}
