/** Change the file of a job that is not active: the same form and file, and what changed before it is saved. */
import '@/ui/theme/kit-forms.css';
import { Button } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { editJob, getJob, jobKeys, titleOf } from '@/api/jobs';
import type { JobDetail, JobFile } from '@/api/jobs';
import { ApiError } from '@/api/problem';
import { useT } from '@/app/i18n';
import { useMe } from '@/app/session';
import { keycaps } from '@/app/shortcut-keys';
import { toYaml } from '@/parts/jobs/job-file';
import { useSave } from '@/parts/useSave';
import { Notice, Page } from '@/ui/page/Panel';
import { ErrorState, Skeleton } from '@/ui/page/States';
import { useDraft } from './start/draft';
import { DraftOffer } from './start/DraftOffer';
import { useLeaving } from './useLeaving';
import { useWork } from './useWork';
import { Workbench } from './Workbench';

const ReviewDialog = lazy(() => import('./ReviewDialog'));
const route = getRouteApi('/app/jobs/$job/edit');

export function EditPage() {
  const t = useT();
  const { job: id } = route.useParams();
  const job = useQuery({ queryKey: jobKeys.detail(id), queryFn: ({ signal }) => getJob(id, signal) });
  if (job.data) return <Editing key={job.data.id} job={job.data} />;
  return (
    <Page title={t('job.edit')}>{job.isError ? <ErrorState error={job.error} retry={() => void job.refetch()} /> : <Skeleton />}</Page>
  );
}

function Editing({ job }: { job: JobDetail }) {
  const t = useT();
  const me = useMe();
  const navigate = useNavigate();
  const client = useQueryClient();
  const [base, setBase] = useState(() => baseOf(job));
  const before = base.text;
  const work = useWork(before);
  const draft = useDraft(me.name, job.id, work.text, before);
  const changed = work.text !== before;
  const leaving = useLeaving(changed);
  const [reviewing, setReviewing] = useState(false);
  const editable = job.actions.includes('edit');

  const save = useSave({
    save: () => saveOver(job.id, work.file, base),
    close: () => {
      draft.drop();
      leaving.allow();
    },
    said: t('done.edited', { name: titleOf(job) }),
    invalidate: [jobKeys.one(job.id)],
    after: () => navigate({ to: '/jobs/$job', params: { job: job.id }, search: { tab: 'spec' } }),
    refused: (error) => {
      if (error instanceof ChangedMeanwhile) {
        // What was typed stays; the person sees what saving it would change now.
        setBase({ ...baseOf(error.now), newer: true });
        client.setQueryData(jobKeys.detail(job.id), error.now);
        return;
      }
      setReviewing(false);
      void client.invalidateQueries({ queryKey: jobKeys.one(job.id) });
      work.refuse(error);
    },
  });
  const review = () => {
    if (editable && changed && !reviewing && work.attempt()) setReviewing(true);
  };
  useHotkeys([['mod+Enter', review]], []);

  const takeTheirs = () => {
    work.setText(before);
    setReviewing(false);
    draft.drop();
  };

  const actions = (
    <>
      <Button variant="default" renderRoot={(props) => <Link to="/jobs/$job" params={{ job: job.id }} {...props} />}>
        {t('action.cancel')}
      </Button>
      <Button disabled={!editable || !changed} onClick={review} title={keycaps('mod+Enter').flat().join(' ')}>
        {t('edit.review')}
      </Button>
    </>
  );
  const trail = [
    { label: t('nav.jobs'), to: '/jobs' },
    { label: titleOf(job), to: '/jobs/$job', params: { job: job.id } },
  ] as const;
  return (
    <Page title={t('edit.title', { name: titleOf(job) })} trail={[...trail]} actions={actions} fill>
      <Workbench work={work} onSubmit={review} edited={job.name} earlier={job.id}>
        {!editable && (
          <Notice tone="amber" icon="info" title={t('edit.notNow')}>
            {t('edit.notNowText')}
          </Notice>
        )}
        {draft.offered && (
          <DraftOffer
            draft={draft.offered}
            onRestore={() => (work.setText(draft.offered!.text), draft.settle())}
            onDiscard={draft.settle}
          />
        )}
      </Workbench>
      <Suspense fallback={null}>
        {reviewing && (
          <ReviewDialog
            // Anew where the job was changed meanwhile: the focus must not stay on saving.
            key={base.version}
            before={before}
            after={work.text}
            busy={save.isPending}
            onCancel={() => setReviewing(false)}
            onSave={() => save.mutate()}
            onTakeTheirs={base.newer ? takeTheirs : undefined}
          />
        )}
      </Suspense>
      {leaving.dialog}
    </Page>
  );
}

/** What an edit began with: the file, and the version of the job that had it. */
interface Base {
  text: string;
  version: number;
  /** Somebody else saved it while this one was written. */
  newer: boolean;
}

const baseOf = (job: JobDetail): Base => ({ text: toYaml(job.spec), version: job.version, newer: false });

class ChangedMeanwhile extends Error {
  readonly now: JobDetail;
  constructor(now: JobDetail) {
    super('changed meanwhile');
    this.now = now;
  }
}

/** Never over what somebody else wrote; a job that only ran meanwhile has another version and the same file. */
async function saveOver(id: string, file: JobFile, base: Base): Promise<JobDetail> {
  try {
    return await editJob(id, file, base.version);
  } catch (error) {
    if (!(error instanceof ApiError) || error.problem.type !== 'conflict') throw error;
    const now = await getJob(id);
    if (toYaml(now.spec) === base.text) return editJob(id, file, now.version);
    throw new ChangedMeanwhile(now);
  }
}
