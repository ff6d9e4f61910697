/** A new job: by form or by file, from nothing, from an example or from another job. */
import '@/ui/theme/kit-forms.css';
import { Button } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import { createJob, getJob, jobKeys } from '@/api/jobs';
import type { JobDetail } from '@/api/jobs';
import { useT } from '@/app/i18n';
import { notify } from '@/app/notify';
import { useMe } from '@/app/session';
import { keycaps } from '@/app/shortcut-keys';
import { editsOf } from '@/parts/jobs/changes';
import { parseJobFile, toYaml } from '@/parts/jobs/job-file';
import { editFile } from '@/parts/jobs/job-file-edit';
import { QuotaNotice } from '@/parts/quotas/QuotaNotice';
import { shortfallsOf } from '@/parts/quotas/shortfalls';
import { Icon } from '@/ui/icons';
import { Page } from '@/ui/page/Panel';
import { EmptyState, ErrorState, Skeleton } from '@/ui/page/States';
import { useDraft } from './draft';
import { DraftOffer } from './DraftOffer';
import { BLANK } from './examples';
import { copyName } from './names';
import { textAt } from './reading';
import type { SubmitSearch } from './search';
import { StartFrom } from './StartFrom';
import { useExamples } from './useExamples';
import type { Offered } from './useExamples';
import { useFreeName } from './useFreeName';
import { useLeaving } from './useLeaving';
import { useWork } from './useWork';
import { Workbench } from './Workbench';

const route = getRouteApi('/app/jobs/new');

export function SubmitPage() {
  const t = useT();
  const search = route.useSearch();
  const { role } = useMe();
  const { from, example, set = [] } = search;
  const source = useQuery({
    queryKey: jobKeys.detail(from ?? ''),
    queryFn: ({ signal }) => getJob(from ?? '', signal),
    enabled: from !== undefined,
  });
  const { examples, waiting } = useExamples();
  const begins = from === undefined ? examples.find(({ id }) => id === example) : undefined;
  const named = textAt(begins && parseJobFile(begins.text, t).file, ['name']);
  const { free, waiting: naming } = useFreeName(named);
  if (role === 'viewer') {
    return (
      <Page title={t('submit.title')}>
        <EmptyState icon="key" title={t('submit.viewer')}>
          {t('submit.viewerText')}
        </EmptyState>
      </Page>
    );
  }
  if (from !== undefined && !source.data) {
    return (
      <Page title={t('submit.title')}>
        {source.isError ? <ErrorState error={source.error} retry={() => void source.refetch()} /> : <Skeleton />}
      </Page>
    );
  }
  if ((example !== undefined && from === undefined && !begins && waiting) || naming)
    return (
      <Page title={t('submit.title')}>
        <Skeleton />
      </Page>
    );
  const plain =
    source.data && from !== undefined
      ? toYaml({ ...source.data.spec, name: copyName(source.data.name) })
      : editFile(begins?.text ?? BLANK, free === named ? [] : [{ path: ['name'], value: free }]);
  const initial = editFile(plain, editsOf(set));
  return (
    <Composing
      key={`${from ?? `example ${example ?? ''}`} ${set.join(' ')}`}
      initial={initial}
      search={search}
      examples={examples}
      source={from === undefined ? undefined : source.data}
    />
  );
}

function Composing({
  initial,
  search,
  examples,
  source,
}: {
  initial: string;
  search: SubmitSearch;
  examples: Offered[];
  source: JobDetail | undefined;
}) {
  const t = useT();
  const me = useMe();
  const navigate = useNavigate();
  const client = useQueryClient();
  // What it began with: a copied job may change while its copy is written.
  const began = useRef(initial).current;
  const work = useWork(began);
  const draft = useDraft(me.name, 'new', work.text, began);
  const leaving = useLeaving(work.text !== began);
  const newKey = useKey();

  const create = useMutation({
    mutationFn: (start: boolean) => createJob(work.file, start, newKey(`${start} ${work.text}`)),
    onSuccess: async (job, start) => {
      draft.drop();
      leaving.allow();
      notify({ message: t(start ? 'done.submitted' : 'done.created', { name: job.name }) });
      void client.invalidateQueries({ queryKey: jobKeys.all });
      await navigate({ to: '/jobs/$job', params: { job: job.id } });
    },
    onError: work.refuse,
  });
  const submit = (start: boolean) => {
    if (!create.isPending && work.attempt()) create.mutate(start);
  };
  useHotkeys([['mod+Enter', () => submit(true)]], []);

  const short = shortfallsOf(create.error);
  const actions = (
    <>
      <Button variant="default" disabled={create.isPending} onClick={() => submit(false)} title={t('submit.createOnlyHelp')}>
        {t('submit.createOnly')}
      </Button>
      <Button
        leftSection={<Icon name="play" size={14} />}
        loading={create.isPending}
        onClick={() => submit(true)}
        title={keycaps('mod+Enter').flat().join(' ')}
      >
        {t('submit.submit')}
      </Button>
    </>
  );
  return (
    <Page title={t('submit.title')} trail={[{ label: t('nav.jobs'), to: '/jobs' }]} actions={actions} fill>
      <Workbench work={work} onSubmit={() => submit(true)} earlier={source?.id}>
        {draft.offered && (
          <DraftOffer
            draft={draft.offered}
            onRestore={() => (work.setText(draft.offered!.text), draft.settle())}
            onDiscard={draft.settle}
          />
        )}
        {short && <QuotaNotice shortfalls={short} />}
        <StartFrom
          chosen={search}
          examples={examples}
          jobName={source?.name}
          onChoose={(next) => void navigate({ to: '/jobs/new', search: next, replace: true })}
        />
      </Workbench>
      {leaving.dialog}
    </Page>
  );
}

/** One key per thing sent: pressing twice, or again after a lost answer, makes one job. */
function useKey(): (sent: string) => string {
  const last = useRef({ sent: '', key: '' });
  return (sent) => {
    if (last.current.sent !== sent) last.current = { sent, key: randomKey() };
    return last.current.key;
  };
}

/** `crypto.randomUUID` exists on secure origins only; a plain HTTP address in a lab is none. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
