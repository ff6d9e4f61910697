/** Checks a job file while it is typed: syntax at once in the browser, everything else by the server after a pause. */
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { checkJob } from '@/api/jobs';
import type { FieldError } from '@/api/problem';
import type { CheckResult } from '@/api/types';
import { useT } from '@/app/i18n';
import { parseJobFile } from './job-file';
import type { FileProblem, ParsedFile } from './job-file';

const PAUSE_MS = 400;

export interface JobCheck {
  parsed: ParsedFile;
  problems: FileProblem[];
  /** Null until the server has looked at exactly this text. */
  result: CheckResult | null;
  checking: boolean;
}

/** `refused`: errors of the last attempt to submit, for the text they were about. */
export function useJobCheck(text: string, refused: { text: string; errors: FieldError[] } | null): JobCheck {
  const t = useT();
  const parsed = useMemo(() => parseJobFile(text, t), [text, t]);
  const [settled] = useDebouncedValue(text, PAUSE_MS);
  const current = settled === text && parsed.file !== null;
  const check = useQuery({
    queryKey: ['check', settled],
    queryFn: ({ signal }) => checkJob(parsed.file ?? {}, signal),
    enabled: current,
    placeholderData: keepPreviousData,
    staleTime: 5000,
    retry: false,
  });
  const result = current && !check.isPlaceholderData ? (check.data ?? null) : null;

  const problems = useMemo(() => {
    if (parsed.problems.length > 0) return parsed.problems;
    if (refused && refused.text === text && refused.errors.length > 0) return inOrder(refused.errors.map(parsed.place));
    return inOrder(((result?.errors ?? []) as FieldError[]).map(parsed.place));
  }, [parsed, refused, result, text]);

  return { parsed, problems, result, checking: current && check.isFetching };
}

/** As they stand in the text, from the top. */
function inOrder(problems: FileProblem[]): FileProblem[] {
  return problems.sort((a, b) => a.from - b.from);
}
