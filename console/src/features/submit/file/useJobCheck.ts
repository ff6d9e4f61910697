/** Checks a job file while it is written: what is certain at once in the browser, everything else by the server after a pause. */
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { checkJob } from '@/api/jobs';
import type { CheckResult } from '@/api/jobs';
import type { FieldError } from '@/api/problem';
import { useSentence, useT } from '@/app/i18n';
import { inWords } from '@/app/refusals';
import type { ParsedFile } from '@/parts/jobs/job-file';
import { beyondBounds, certainMistakes, inOrder, merged, stillTrue } from './mistakes';
import { useFrameworks } from '../useChoices';

const PAUSE_MS = 400;
/** The queue moves, and with it what would happen. */
const AGAIN_MS = 20_000;

/** What the server found in the last attempt to send a text. */
export interface Refused {
  text: string;
  errors: FieldError[];
}

export interface JobCheck {
  mistakes: FieldError[];
  /** The latest answer; of an earlier text while `checking`. */
  result: CheckResult | null;
  /** Why the server did not check it. */
  failed: unknown;
  /** The answer is not for the present text yet. */
  checking: boolean;
}

export function useJobCheck(text: string, parsed: ParsedFile, refused: Refused | null): JobCheck {
  const t = useT();
  const say = useSentence();
  const frameworks = useFrameworks();
  const [settled] = useDebouncedValue(text, PAUSE_MS);
  const { file } = parsed;
  const current = settled === text && file !== null;
  const check = useQuery({
    queryKey: ['check', settled],
    queryFn: async ({ signal }) => ({ of: file ?? {}, result: await checkJob(file ?? {}, signal) }),
    enabled: current,
    placeholderData: keepPreviousData,
    refetchInterval: AGAIN_MS,
    staleTime: 5000,
    retry: false,
  });
  const known = check.data ?? null;

  const mistakes = useMemo(() => {
    if (file === null) return [];
    const told = refused?.text === text ? refused.errors : [];
    const found = known ? stillTrue((known.result.errors ?? []) as FieldError[], known.of, file) : [];
    const theirs = [...told, ...found].map(inWords);
    return inOrder(merged(certainMistakes(file, t), beyondBounds(file, frameworks, t, say), theirs));
  }, [file, known, refused, text, frameworks, say, t]);

  return {
    mistakes,
    result: file === null ? null : (known?.result ?? null),
    failed: check.error,
    checking: !current || check.isPlaceholderData,
  };
}
