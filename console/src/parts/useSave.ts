/** Saving what a form holds: it closes, the corner says so, what changed is asked for again, and mistakes stand at their fields. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { QueryKey } from '@tanstack/react-query';
import { useT } from '@/app/i18n';
import { notify } from '@/app/notify';
import { errorText } from '@/ui/page/States';
import { mistakesIn } from './mistakes';
import type { Fields } from './mistakes';

interface Save<Answer, Given> {
  save: (given: Given) => Promise<Answer>;
  close?: (() => void) | undefined;
  /** What the corner says once it is done. */
  said?: string | ((answer: Answer) => string);
  /** Some of it was refused: the form stays and tells which. */
  stays?: (answer: Answer) => boolean;
  /** Something is no more: its page is left and its answer dropped before anything is asked for again. */
  gone?: { forget: QueryKey; leave?: (() => unknown) | undefined };
  invalidate?: readonly QueryKey[];
  /** Once that is there. */
  after?: (answer: Answer) => unknown;
  /** The fields that tell their own mistakes; `untold` is the rest. */
  fields?: Fields;
  /** Where no form can tell what went wrong: what the corner says then. */
  failed?: string;
}

export function useSave<Answer, Given = void>({
  save,
  close,
  said,
  stays,
  gone,
  invalidate = [],
  after,
  fields = [],
  failed,
}: Save<Answer, Given>) {
  const t = useT();
  const client = useQueryClient();
  const mutation = useMutation({
    mutationFn: save,
    onSuccess: async (answer) => {
      if (!stays?.(answer)) {
        close?.();
        if (said !== undefined) notify({ message: typeof said === 'string' ? said : said(answer) });
      }
      if (gone) {
        await gone.leave?.();
        client.removeQueries({ queryKey: gone.forget });
      }
      await Promise.all(invalidate.map((queryKey) => client.invalidateQueries({ queryKey })));
      await after?.(answer);
    },
    onError: (error) => failed !== undefined && notify({ bad: true, title: failed, message: errorText(error, t) }),
  });
  return { ...mutation, ...mistakesIn(mutation.error, fields) };
}
