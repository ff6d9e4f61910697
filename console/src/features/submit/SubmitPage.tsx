/** A new job: by form or by file, from nothing, from an example or from another job. */
import '@/ui/theme/kit-forms.css';
import { Button } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useRef, useState } from 'react';
import { createJob, getJob, jobKeys, titleOf } from '@/api/jobs';
import type { JobDetail } from '@/api/jobs';
import { getTemplate, templateKeys } from '@/api/templates';
import type { Template } from '@/api/templates';
import { useT } from '@/app/i18n';
import { useMe } from '@/app/session';
import { keycaps } from '@/app/shortcut-keys';
import { editsOf } from '@/parts/jobs/changes';
import { toYaml } from '@/parts/jobs/job-file';
import { editFile } from '@/parts/jobs/job-file-edit';
import { shortfallsOf } from '@/parts/quotas/shortfalls';
import { useSave } from '@/parts/useSave';
import { Icon } from '@/ui/icons';
import { Page } from '@/ui/page/Panel';
import { EmptyState, ErrorState, Skeleton } from '@/ui/page/States';
import { useDraft } from './start/draft';
import { DraftOffer } from './start/DraftOffer';
import { BLANK } from './start/examples';
import { textAt } from './file/reading';
import type { SubmitSearch } from './search';
import { StartFrom } from './start/StartFrom';
import { useExamples } from './start/useExamples';
import type { Offered } from './start/useExamples';
import { useLeaving } from './useLeaving';
import { useWork } from './useWork';
import { Workbench } from './Workbench';

const QuotaNotice = lazy(() => import('@/parts/quotas/QuotaNotice'));
const TemplateForm = lazy(() => import('@/parts/jobs/TemplateForm'));
const route = getRouteApi('/app/jobs/new');

/** A template's file with a name to begin with. */
const fileOf = ({ name, job }: Template): string => toYaml({ ...job, name: job.name ?? name });

export function SubmitPage() {
  const t = useT();
  const search = route.useSearch();
  const { role } = useMe();
  const { from, example, template, set = [] } = search;
  const source = useQuery({
    queryKey: jobKeys.detail(from ?? ''),
    queryFn: ({ signal }) => getJob(from ?? '', signal),
    enabled: from !== undefined,
  });
  const kept = useQuery({
    queryKey: templateKeys.one(template ?? ''),
    queryFn: ({ signal }) => getTemplate(template ?? '', signal),
    enabled: template !== undefined,
  });
  const { examples, waiting } = useExamples();
  const offered = from === undefined ? examples.find(({ id }) => id === example) : undefined;
  const begins = kept.data ? fileOf(kept.data) : offered?.text;
  if (role === 'viewer') {
    return (
      <Page title={t('submit.title')}>
        <EmptyState icon="key" title={t('submit.viewer')}>
          {t('submit.viewerText')}
        </EmptyState>
      </Page>
    );
  }
  const needed = from !== undefined ? source : template !== undefined ? kept : undefined;
  if (needed && !needed.data) {
    return (
      <Page title={t('submit.title')}>
        {needed.isError ? <ErrorState error={needed.error} retry={() => void needed.refetch()} /> : <Skeleton />}
      </Page>
    );
  }
  if (example !== undefined && !needed && !offered && waiting)
    return (
      <Page title={t('submit.title')}>
        <Skeleton />
      </Page>
    );
  const plain = source.data && from !== undefined ? toYaml(source.data.spec) : (begins ?? BLANK);
  const initial = editFile(plain, editsOf(set));
  return (
    <Composing
      key={`${from ?? template ?? `example ${example ?? ''}`} ${set.join(' ')}`}
      initial={initial}
      search={search}
      examples={examples}
      source={from === undefined ? undefined : source.data}
      template={kept.data}
    />
  );
}

function Composing({
  initial,
  search,
  examples,
  source,
  template,
}: {
  initial: string;
  search: SubmitSearch;
  examples: Offered[];
  source: JobDetail | undefined;
  template: Template | undefined;
}) {
  const t = useT();
  const me = useMe();
  const navigate = useNavigate();
  // What it began with: a copied job may change while its copy is written.
  const began = useRef(initial).current;
  const work = useWork(began);
  const draft = useDraft(me.name, 'new', work.text, began);
  const leaving = useLeaving(work.text !== began);
  const newKey = useKey();
  const [keeping, setKeeping] = useState(false);

  const create = useSave({
    save: (start: boolean) => createJob(work.file, start, newKey(`${start} ${work.replaces} ${work.text}`), work.replaces),
    close: () => {
      draft.drop();
      leaving.allow();
    },
    said: (job, start) => t(start ? 'done.submitted' : 'done.created', { name: titleOf(job) }),
    invalidate: [jobKeys.all],
    leads: ({ id }) => navigate({ to: '/jobs/$job', params: { job: id } }),
    refused: work.refuse,
  });
  const submit = (start: boolean) => {
    if (!create.isPending && work.attempt()) create.mutate(start);
  };
  useHotkeys([['mod+Enter', () => submit(true)]], []);

  const short = shortfallsOf(create.error);
  const actions = (
    <>
      {work.broken === null && (
        <Button variant="default" leftSection={<Icon name="book" size={14} />} onClick={() => setKeeping(true)}>
          {t('templates.save')}
        </Button>
      )}
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
        <Suspense fallback={null}>{short && <QuotaNotice shortfalls={short} />}</Suspense>
        <StartFrom
          chosen={search}
          examples={examples}
          jobName={source?.name}
          templateName={template?.name}
          onChoose={(next) => void navigate({ to: '/jobs/new', search: next, replace: true })}
        />
      </Workbench>
      {leaving.dialog}
      <Suspense fallback={null}>
        {keeping && (
          <TemplateForm job={work.file} suggested={template?.name ?? textAt(work.file, ['name'])} onClose={() => setKeeping(false)} />
        )}
      </Suspense>
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
