/** What a new job may begin with: the examples built in here, and those that came with the server. */
import { useQuery } from '@tanstack/react-query';
import { exampleKeys, listExamples } from '@/api/examples';
import { useSentence, useT } from '@/app/i18n';
import { EXAMPLES } from './examples';

export const GROUPS = ['basics', 'frameworks'] as const;

export interface Offered {
  id: string;
  group: (typeof GROUPS)[number];
  label: string;
  about: string;
  text: string;
}

/** `waiting`: the server's are still to come. Without them the built-in ones are there. */
export function useExamples(): { examples: Offered[]; waiting: boolean } {
  const t = useT();
  const say = useSentence();
  const served = useQuery({
    queryKey: exampleKeys.all,
    queryFn: ({ signal }) => listExamples(signal),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const own = EXAMPLES.map(({ id, label, about, note, text }) => ({
    id,
    group: 'basics' as const,
    label: t(label),
    about: t(about),
    text: note ? `# ${t(note)}\n${text}` : text,
  }));
  const more = (served.data ?? []).map(({ id, group, label, about, file }) => ({
    id,
    group,
    label: say(label),
    about: say(about),
    text: file,
  }));
  return { examples: [...own, ...more], waiting: served.isPending };
}
