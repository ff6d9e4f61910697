/** Change the file of a job that is not active: the same form and file, and what changed before it is saved. */
import { Button } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useRef, useState } from 'react';
import { editJob, getJob } from '@/api/jobs';
import { keys } from '@/api/keys';
import type { JobDetail } from '@/api/types';
import { useT } from '@/app/i18n';
import { notify } from '@/app/notify';
import { useMe } from '@/app/session';
import { toYaml } from '@/parts/jobs/job-file';
import { Notice, Page } from '@/ui/Panel';
import { ErrorState, Skeleton } from '@/ui/States';
import { useDraft } from './draft';
import { DraftOffer } from './DraftOffer';
import { useLeaving } from './useLeaving';
import { useWork } from './useWork';
import { Workbench } from './Workbench';

const ReviewDialog = lazy(() => import('./ReviewDialog'));
const route = getRouteApi('/app/jobs/$job/edit');

export function EditPage() {
  const t = useT();
  const { job: id } = route.useParams();
  const job = useQuery({ queryKey: keys.jobDetail(id), queryFn: ({ signal }) => getJob(id, signal) });
  if (job.data) return <Editing key={job.data.id} job={job.data} />;
  return (
    <Page title={t('job.edit')}>
      {job.isError ? <ErrorState error={job.error} retry={() => void job.refetch()} /> : <Skeleton />}
    </Page>
  );
}

function Editing({ job }: { job: JobDetail }) {
  const t = useT();
  const me = useMe();
  const navigate = useNavigate();
  const client = useQueryClient();
  const before = useRef(toYaml(job.spec)).current;
  const work = useWork(before);
  const draft = useDraft(me.name, job.id, work.text, before);
  const changed = work.text !== before;
  const leaving = useLeaving(changed);
  const [reviewing, setReviewing] = useState(false);
  const editable = job.actions.includes('edit');

  const save = useMutation({
    mutationFn: () => editJob(job.id, work.file),
    onSuccess: async () => {
      draft.drop();
      leaving.allow();
      notify({ message: t('done.edited', { name: job.name }) });
      await client.invalidateQueries({ queryKey: keys.job(job.id) });
      await navigate({ to: '/jobs/$job', params: { job: job.id }, search: { tab: 'spec' } });
    },
    onError: (error) => {
      setReviewing(false);
      work.refuse(error);
    },
  });
  const review = () => {
    if (editable && changed && !reviewing && work.attempt()) setReviewing(true);
  };
  useHotkeys([['mod+Enter', review]], []);

  const actions = (
    <>
      <Button variant="default" renderRoot={(props) => <Link to="/jobs/$job" params={{ job: job.id }} {...props} />}>{t('action.cancel')}</Button>
      <Button disabled={!editable || !changed} onClick={review} title={t('submit.keys')}>{t('edit.review')}</Button>
    </>
  );
  const trail = [{ label: t('nav.jobs'), to: '/jobs' }, { label: job.name, to: '/jobs/$job', params: { job: job.id } }] as const;
  return (
    <Page title={t('edit.title', { name: job.name })} trail={[...trail]} actions={actions} fill>
      <Workbench work={work} onSubmit={review}>
        {!editable && <Notice tone="amber" icon="info" title={t('edit.notNow')}>{t('edit.notNowText')}</Notice>}
        {draft.offered && <DraftOffer draft={draft.offered} onRestore={() => (work.setText(draft.offered!.text), draft.settle())} onDiscard={draft.drop} />}
      </Workbench>
      <Suspense fallback={null}>
        {reviewing && <ReviewDialog before={before} after={work.text} busy={save.isPending} onCancel={() => setReviewing(false)} onSave={() => save.mutate()} />}
      </Suspense>
      {leaving.dialog}
    </Page>
  );
}
