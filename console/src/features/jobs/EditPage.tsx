/** Change the file of a job that is not active. */
import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { editJob, getJob } from '@/api/jobs';
import { keys } from '@/api/keys';
import { ApiError } from '@/api/problem';
import type { FieldError } from '@/api/problem';
import type { JobDetail } from '@/api/types';
import { useT } from '@/app/i18n';
import { notify } from '@/app/notify';
import { Page } from '@/ui/Panel';
import { ErrorState, errorText, Skeleton } from '@/ui/States';
import { JobEditor } from './JobEditor';
import { toYaml } from './job-file';
import { useJobCheck } from './useJobCheck';

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
  const navigate = useNavigate();
  const client = useQueryClient();
  const [text, setText] = useState(() => toYaml(job.spec));
  const [refused, setRefused] = useState<{ text: string; errors: FieldError[] } | null>(null);
  const check = useJobCheck(text, refused);
  const save = useMutation({
    mutationFn: () => editJob(job.id, check.parsed.file ?? {}),
    onSuccess: async () => {
      notify({ message: t('done.edited', { name: job.name }) });
      await client.invalidateQueries({ queryKey: keys.job(job.id) });
      await navigate({ to: '/jobs/$job', params: { job: job.id }, search: { tab: 'spec' } });
    },
    onError: (error) => {
      const errors = error instanceof ApiError ? error.problem.errors : [];
      setRefused({ text, errors });
      if (errors.length === 0) notify({ bad: true, title: t('submit.refused'), message: errorText(error, t) });
    },
  });
  const blocked = check.parsed.file === null || save.isPending;
  const submit = () => {
    if (!blocked) save.mutate();
  };
  const actions = (
    <>
      <Button variant="default" renderRoot={(props) => <Link to="/jobs/$job" params={{ job: job.id }} {...props} />}>{t('action.cancel')}</Button>
      <Button disabled={blocked} loading={save.isPending} onClick={submit} title={t('submit.keys')}>{t('action.save')}</Button>
    </>
  );
  return (
    <Page title={t('edit.title', { name: job.name })} actions={actions} fill>
      <JobEditor text={text} onText={setText} check={check} onSubmit={submit} />
    </Page>
  );
}
