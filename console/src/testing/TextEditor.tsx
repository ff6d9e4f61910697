/** Stands in for the code editor in tests: the same properties, a plain text field. */
import type { EditorHandle, EditorProblem } from '@/ui/code/CodeEditor';
import type { Ref } from 'react';
import { useImperativeHandle, useRef } from 'react';

interface Props {
  value: string;
  label: string;
  onChange?: (value: string) => void;
  onSubmit?: () => void;
  hint?: string;
  problems?: EditorProblem[];
  ref?: Ref<EditorHandle>;
}

export default function TextEditor({ value, label, onChange, onSubmit, problems, ref }: Props) {
  const field = useRef<HTMLTextAreaElement>(null);
  useImperativeHandle(
    ref,
    () => ({
      focus: () => field.current?.focus(),
      reveal: (from) => {
        field.current?.focus();
        field.current?.setSelectionRange(from, from);
      },
    }),
    [],
  );
  return (
    <>
      <textarea
        ref={field}
        aria-label={label}
        value={value}
        onChange={(event) => onChange?.(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Enter' && event.ctrlKey && onSubmit?.()}
      />
      <ul aria-label="marks">
        {problems?.map(({ from, to, message }) => (
          <li key={`${from} ${message}`}>
            {value.slice(from, to)}: {message}
          </li>
        ))}
      </ul>
    </>
  );
}
