/** Saving what a form holds: it closes, the corner says so, what changed is asked for again, and mistakes stand at their fields. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { QueryKey } from '@tanstack/react-query';
import { useRef } from 'react';
import { useT } from '@/app/i18n';
import { notify } from '@/app/notify';
import { errorText } from '@/ui/page/States';
import { mistakesIn } from './mistakes';
import type { Fields } from './mistakes';

interface Save<Answer, Given> {
  save: (given: Given) => Promise<Answer>;
  close?: ((answer: Answer, given: Given) => unknown) | undefined;
  /** What the corner says once it is done. */
  said?: string | ((answer: Answer, given: Given) => string | undefined);
  /** Some of it was refused: the form stays and tells which. */
  stays?: (answer: Answer) => boolean;
  /** Something is no more: its page is left and its answer dropped before anything is asked for again. */
  gone?: { forget: QueryKey; leave?: (() => unknown) | undefined };
  /** Where it leads: one goes there at once, whatever is asked for again. */
  leads?: (answer: Answer) => unknown;
  invalidate?: readonly QueryKey[] | ((given: Given, error: unknown) => readonly QueryKey[]);
  /** What is asked for again is so even after a refusal: some of it was done, or what the page shows is old. */
  always?: boolean;
  /** Once that is there. */
  after?: (answer: Answer, given: Given) => unknown;
  /** The fields that tell their own mistakes; `untold` is the rest. */
  fields?: Fields;
  /** Where no form can tell what went wrong: what the corner says then. */
  failed?: string;
  /** What else a refusal does. */
  refused?: (error: Error, given: Given) => unknown;
}

export function useSave<Answer, Given = void>({
  save,
  close,
  said,
  stays,
  gone,
  leads,
  invalidate = [],
  always = false,
  after,
  fields = [],
  failed,
  refused,
}: Save<Answer, Given>) {
  const t = useT();
  const client = useQueryClient();
  const underway = useRef(new Set<string>());
  const askAgain = (given: Given, error?: unknown) => {
    const stale = typeof invalidate === 'function' ? invalidate(given, error) : invalidate;
    return Promise.all(stale.map((queryKey) => client.invalidateQueries({ queryKey })));
  };
  const mutation = useMutation({
    mutationFn: save,
    onSuccess: async (answer, given) => {
      if (!stays?.(answer)) {
        close?.(answer, given);
        const message = typeof said === 'function' ? said(answer, given) : said;
        if (message !== undefined) notify({ message });
      }
      if (gone) {
        await gone.leave?.();
        client.removeQueries({ queryKey: gone.forget });
      }
      await Promise.all([askAgain(given), leads?.(answer)]);
      await after?.(answer, given);
    },
    onError: async (error, given) => {
      if (failed !== undefined) notify({ bad: true, title: failed, message: errorText(error, t) });
      await refused?.(error, given);
      if (always) await askAgain(given, error);
    },
    onSettled: (_answer, _error, given) => void underway.current.delete(keyOf(given)),
  });
  const mutate: typeof mutation.mutate = (...sent) => {
    const key = keyOf(sent[0]);
    if (underway.current.has(key)) return; // a second press, before the page could show that it is busy
    underway.current.add(key);
    mutation.mutate(...sent);
  };
  return { ...mutation, mutate, ...mistakesIn(mutation.error, fields) };
}

/** Tells apart what is sent for different things; a press of a button is always the same. */
function keyOf(given: unknown): string {
  const plain = Array.isArray(given) || (given instanceof Object && Object.getPrototypeOf(given) === Object.prototype);
  return plain ? JSON.stringify(given) : typeof given === 'object' ? '' : String(given);
}
