/** A job file in the making: its text, what it says, what is wrong with it, and the attempt to send it. */
import { useCallback, useMemo, useState } from 'react';
import type { JobFile } from '@/api/jobs';
import { ApiError, UNREACHABLE } from '@/api/problem';
import type { FieldError } from '@/api/problem';
import { useT } from '@/app/i18n';
import { notify } from '@/app/notify';
import { parseJobFile } from '@/parts/jobs/job-file';
import type { FileProblem } from '@/parts/jobs/job-file';
import { editFile } from '@/parts/jobs/job-file-edit';
import type { Edit, Path } from '@/parts/jobs/job-file-edit';
import { shortfallsOf } from '@/parts/quotas/shortfalls';
import { errorText } from '@/ui/page/States';
import { useJobCheck } from './file/useJobCheck';
import type { JobCheck, Refused } from './file/useJobCheck';

/** These stand against a start, not against the job: it can be created, and what a start is told says more. */
const OVER: ReadonlySet<string> = new Set(['insufficient_quota', 'budget_spent', 'disk_limit']);

export interface Work {
  text: string;
  setText: (text: string) => void;
  apply: (edits: Edit[]) => void;
  /** What the text says; what it last said while it cannot be read. */
  file: JobFile;
  /** Why it cannot be read. */
  broken: FileProblem | null;
  /** Why it cannot be read, or else these mistakes at their places in the text. */
  placed: (mistakes: FieldError[]) => FileProblem[];
  check: JobCheck;
  /** Whether earlier runs of the same name are stopped first. */
  replaces: boolean;
  setReplaces: (replaces: boolean) => void;
  attempted: boolean;
  /** Where the person should look next; a new object each time. */
  wanted: { path: Path; from: number } | null;
  lookAt: (path: Path) => void;
  /** Whether it may be sent; if not, the person is led to what is wrong. */
  attempt: () => boolean;
  refuse: (error: unknown) => void;
}

export function useWork(initial: string): Work {
  const t = useT();
  const [text, setText] = useState(initial);
  const parsed = useMemo(() => parseJobFile(text, t), [text, t]);
  const [file, setFile] = useState<JobFile>(parsed.file ?? {});
  if (parsed.file && parsed.file !== file) setFile(parsed.file);
  const [refused, setRefused] = useState<Refused | null>(null);
  const [replaces, setReplaces] = useState(false);
  const [attempted, setAttempted] = useState(false);
  const [wanted, setWanted] = useState<Work['wanted']>(null);
  const check = useJobCheck(text, parsed, refused);
  const broken = parsed.problems[0] ?? null;
  const wrong = check.mistakes.filter(({ code }) => !OVER.has(code));
  const placed = useCallback(
    (mistakes: FieldError[]) =>
      parsed.problems.length > 0 ? parsed.problems : mistakes.map(parsed.place).toSorted((a, b) => a.from - b.from),
    [parsed],
  );
  const lead = (errors: FieldError[]) => {
    setAttempted(true);
    const [first] = errors;
    if (first) setWanted({ path: first.loc, from: parsed.place(first).from });
  };
  return {
    text,
    setText,
    apply: (edits) => setText((now) => editFile(now, edits)),
    file,
    broken,
    placed,
    check,
    replaces,
    setReplaces,
    attempted,
    wanted,
    lookAt: (path) => setWanted({ path, from: parsed.place({ loc: [...path], code: '', message: '' }).from }),
    attempt: () => {
      if (broken) setWanted({ path: [], from: broken.from });
      else lead(wrong);
      return !broken && wrong.length === 0;
    },
    refuse: (error) => {
      const errors = error instanceof ApiError ? error.problem.errors : [];
      const shortfalls = shortfallsOf(error);
      setRefused({ text, errors });
      // What is over a quota is told with more than a word at a field.
      lead(shortfalls ? [] : errors);
      if (errors.length === 0)
        notify({ bad: true, title: isUnreachable(error) ? t('submit.notSent') : t('submit.refused'), message: errorText(error, t) });
    },
  };
}

const isUnreachable = (error: unknown): boolean => error instanceof ApiError && error.problem.type === UNREACHABLE;
