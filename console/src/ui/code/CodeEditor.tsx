/** A YAML editor with problems at their place; heavy, so pages load it lazily. */
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import type { CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { bracketMatching, HighlightStyle, indentOnInput, indentUnit, syntaxHighlighting } from '@codemirror/language';
import { lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import type { Diagnostic } from '@codemirror/lint';
import { Compartment, EditorState, Prec } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import type { Ref } from 'react';
import { useEffect, useId, useImperativeHandle, useRef } from 'react';
import './CodeEditor.css';

export interface EditorProblem {
  from: number;
  to: number;
  message: string;
}

export interface EditorHandle {
  focus(): void;
  reveal(from: number): void;
}

interface Props {
  value: string;
  label: string;
  onChange?: (value: string) => void;
  /** Ctrl+Enter, or ⌘Enter. */
  onSubmit?: () => void;
  problems?: EditorProblem[];
  complete?: (context: CompletionContext) => CompletionResult | null;
  readOnly?: boolean;
  /** How to leave an editor that takes the Tab key, for those who hear the page. */
  hint?: string;
  ref?: Ref<EditorHandle>;
}

const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], class: 'cm-key' },
  { tag: [tags.string, tags.special(tags.string)], class: 'cm-string' },
  { tag: [tags.content, tags.attributeValue], class: 'cm-scalar' },
  { tag: [tags.number, tags.bool, tags.null, tags.keyword], class: 'cm-constant' },
  { tag: tags.comment, class: 'cm-comment' },
  { tag: [tags.punctuation, tags.separator, tags.squareBracket, tags.brace, tags.meta], class: 'cm-mark' },
]);

export default function CodeEditor({ value, label, onChange, onSubmit, problems, complete, readOnly = false, hint, ref }: Props) {
  const parent = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const naming = useRef(new Compartment());
  const hintId = useId();
  // The editor is made once; it reaches the newest callbacks through this box.
  const latest = useRef({ onChange, onSubmit, complete });
  useEffect(() => {
    latest.current = { onChange, onSubmit, complete };
  });

  useEffect(() => {
    const editor = new EditorView({
      parent: parent.current!,
      state: EditorState.create({
        doc: value,
        extensions: [
          Prec.highest(keymap.of([{ key: 'Mod-Enter', run: () => (latest.current.onSubmit?.(), true) }])),
          readOnly ? [EditorState.readOnly.of(true)] : editing((context) => latest.current.complete?.(context) ?? null),
          lineNumbers(),
          drawSelection(),
          EditorView.lineWrapping,
          yaml(),
          syntaxHighlighting(colours),
          keymap.of([...defaultKeymap, ...historyKeymap]),
          naming.current.of(EditorView.contentAttributes.of(named(label, hint && hintId))),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) latest.current.onChange?.(update.state.doc.toString());
          }),
        ],
      }),
    });
    view.current = editor;
    return () => editor.destroy();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- value and label are kept in step below
  }, [readOnly]);

  useEffect(() => {
    const editor = view.current;
    const change = editor && difference(editor.state.doc.toString(), value);
    if (change) editor.dispatch({ changes: change });
  }, [value]);

  useEffect(() => {
    const attributes = EditorView.contentAttributes.of(named(label, hint && hintId));
    view.current?.dispatch({ effects: naming.current.reconfigure(attributes) });
  }, [label, hint, hintId]);

  useEffect(() => {
    const editor = view.current;
    if (!editor || readOnly) return;
    editor.dispatch(
      setDiagnostics(
        editor.state,
        (problems ?? []).map((problem) => within(problem, editor.state.doc.length)),
      ),
    );
  }, [problems, readOnly]);

  useImperativeHandle(
    ref,
    () => ({
      focus: () => view.current?.focus(),
      reveal(from) {
        const anchor = Math.min(from, view.current?.state.doc.length ?? 0);
        view.current?.dispatch({ selection: { anchor }, scrollIntoView: true });
        view.current?.focus();
      },
    }),
    [],
  );

  return (
    <>
      <div ref={parent} className="code-editor" data-read-only={readOnly || undefined} />
      {hint && (
        <span id={hintId} className="visually-hidden">
          {hint}
        </span>
      )}
    </>
  );
}

function named(label: string, description: string | undefined): Record<string, string> {
  // Tab reaches it, and with it what scrolls, also where it is only read.
  return { 'aria-label': label, tabindex: '0', ...(description && { 'aria-describedby': description }) };
}

function editing(complete: (context: CompletionContext) => CompletionResult | null) {
  return [
    history(),
    indentOnInput(),
    indentUnit.of('  '),
    bracketMatching(),
    closeBrackets(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    lintGutter(),
    autocompletion({ override: [complete], icons: false }),
    keymap.of([...closeBracketsKeymap, ...completionKeymap, ...lintKeymap, indentWithTab]),
  ];
}

/** The one stretch in which two texts differ: what is around it keeps caret, folds and history. */
export function difference(before: string, after: string): { from: number; to: number; insert: string } | null {
  if (before === after) return null;
  const shorter = Math.min(before.length, after.length);
  let from = 0;
  while (from < shorter && before[from] === after[from]) from += 1;
  let tail = 0;
  while (tail < shorter - from && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  return { from, to: before.length - tail, insert: after.slice(from, after.length - tail) };
}

/** Problems may be older than the text: they are kept inside it, and never empty. */
function within({ from, to, message }: EditorProblem, length: number): Diagnostic {
  const start = Math.min(from, length);
  return { from: start, to: Math.min(Math.max(to, start), length), severity: 'error', message };
}
