/** The job file editor with its problems, the forecast, and the keys to send it; used to submit and to edit. */
import { Suspense, lazy, useCallback, useMemo, useRef } from 'react';
import { useQuery } from '@tanstack/react-query';
import { getJobSchema } from '@/api/jobs';
import { keys } from '@/api/keys';
import { useSentence, useT } from '@/app/i18n';
import type { EditorHandle } from '@/ui/CodeEditor';
import { Icon } from '@/ui/icons';
import { Skeleton } from '@/ui/States';
import { suggest } from './completion';
import type { JsonSchema } from './completion';
import type { FileProblem } from './job-file';
import type { JobCheck } from './useJobCheck';
import style from './Submit.module.css';

const CodeEditor = lazy(() => import('@/ui/CodeEditor'));

interface Props {
  text: string;
  onText: (text: string) => void;
  check: JobCheck;
  onSubmit: () => void;
}

export function JobEditor({ text, onText, check, onSubmit }: Props) {
  const t = useT();
  const editor = useRef<EditorHandle>(null);
  const schema = useQuery({ queryKey: keys.schema, queryFn: getJobSchema, staleTime: Number.POSITIVE_INFINITY });
  const complete = useCallback(
    (context: { pos: number; explicit: boolean; state: { doc: { toString: () => string } } }) => {
      if (!schema.data) return null;
      const found = suggest(context.state.doc.toString(), context.pos, schema.data as JsonSchema);
      return found && (context.explicit || found.from < context.pos) ? found : null;
    },
    [schema.data],
  );
  const problems = useMemo(
    () => check.problems.map(({ from, to, message, hint }) => ({ from, to, message: hint ? `${message}\n${hint}` : message })),
    [check.problems],
  );
  return (
    <div className={style.editorFrame}>
      <Suspense fallback={<Skeleton rows={14} />}>
        <CodeEditor ref={editor} value={text} label={t('submit.file')} onChange={onText} onSubmit={onSubmit} problems={problems} complete={complete} />
      </Suspense>
      <Verdict check={check} onReveal={(problem) => editor.current?.reveal(problem.from)} />
    </div>
  );
}

function Verdict({ check, onReveal }: { check: JobCheck; onReveal: (problem: FileProblem) => void }) {
  const t = useT();
  return (
    <section className={style.verdict} aria-label={t('submit.check')} aria-live="polite">
      {check.problems.length > 0 ? (
        <>
          <div className={style.bad}>
            <Icon name="failed" size={14} />
            {t('submit.problems', { count: check.problems.length })}
          </div>
          <ul>
            {check.problems.map((problem) => (
              <li key={`${problem.from}:${problem.field}:${problem.message}`}>
                <button type="button" className={style.problem} onClick={() => onReveal(problem)}>
                  <span className={style.place}>{problem.line}:{problem.column}</span>
                  <span>
                    {problem.field && <code>{problem.field}</code>} {problem.message}
                    {problem.hint && <span className={style.hint}> {problem.hint}</span>}
                  </span>
                </button>
              </li>
            ))}
          </ul>
        </>
      ) : (
        <Forecast check={check} />
      )}
    </section>
  );
}

/** What would happen if the job were submitted now. */
function Forecast({ check }: { check: JobCheck }) {
  const t = useT();
  const say = useSentence();
  if (!check.result) return <div className={style.quiet}>{check.checking ? t('submit.checking') : ' '}</div>;
  const { would } = check.result;
  return (
    <div className={style.good}>
      <Icon name="done" size={14} />
      <span>
        {t('submit.valid')}
        {would && <span className={style.quiet}> {would.starts_now ? t('submit.startsNow') : t('submit.waits')}{' '}
          {!would.starts_now && would.reason && say(would.reason.text)}</span>}
      </span>
    </div>
  );
}
