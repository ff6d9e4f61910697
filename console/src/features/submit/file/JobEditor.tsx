/** The job file as text: completed from its schema, with every problem at its line; heavy, so it is loaded lazily. */
import { useQuery } from '@tanstack/react-query';
import type { Ref } from 'react';
import { useCallback, useMemo } from 'react';
import { getJobSchema, jobKeys } from '@/api/jobs';
import { useT } from '@/app/i18n';
import type { FileProblem } from '@/parts/jobs/job-file';
import CodeEditor from '@/ui/code/CodeEditor';
import type { EditorHandle } from '@/ui/code/CodeEditor';
import { offering, suggest } from './completion';
import type { JsonSchema } from './completion';
import { useFrameworks } from '../useChoices';

interface Props {
  text: string;
  onText: (text: string) => void;
  problems: FileProblem[];
  onSubmit: () => void;
  ref?: Ref<EditorHandle>;
}

export default function JobEditor({ text, onText, problems, onSubmit, ref }: Props) {
  const t = useT();
  const schema = useQuery({ queryKey: jobKeys.schema, queryFn: getJobSchema, staleTime: Number.POSITIVE_INFINITY });
  const frameworks = useFrameworks();
  const complete = useCallback(
    (context: { pos: number; explicit: boolean; state: { doc: { toString: () => string } } }) => {
      if (!schema.data) return null;
      const written = context.state.doc.toString();
      const found = suggest(written, context.pos, offering(schema.data as JsonSchema, frameworks, written));
      return found && (context.explicit || found.from < context.pos) ? found : null;
    },
    [schema.data, frameworks],
  );
  const marked = useMemo(
    () => problems.map(({ from, to, message, hint }) => ({ from, to, message: hint ? `${message}\n${hint}` : message })),
    [problems],
  );
  return (
    <CodeEditor
      ref={ref}
      value={text}
      label={t('submit.file')}
      hint={t('submit.tabKey')}
      onChange={onText}
      onSubmit={onSubmit}
      problems={marked}
      complete={complete}
    />
  );
}
