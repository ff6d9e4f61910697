/** Submit a job by its file. */
import { Button, Select } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { createJob, getJob } from '@/api/jobs';
import { keys } from '@/api/keys';
import { ApiError } from '@/api/problem';
import type { FieldError } from '@/api/problem';
import { useT } from '@/app/i18n';
import { notify } from '@/app/notify';
import { Icon } from '@/ui/icons';
import { Page } from '@/ui/Panel';
import { errorText } from '@/ui/States';
import { EXAMPLES } from './examples';
import { JobEditor } from './JobEditor';
import { toYaml } from './job-file';
import { useJobCheck } from './useJobCheck';
import style from './Submit.module.css';

const route = getRouteApi('/app/jobs/new');

export function SubmitPage() {
  const t = useT();
  const { from } = route.useSearch();
  const navigate = useNavigate();
  const client = useQueryClient();
  const [text, setText] = useState(EXAMPLES[0]!.text);
  const [refused, setRefused] = useState<{ text: string; errors: FieldError[] } | null>(null);
  const check = useJobCheck(text, refused);
  // One key per text: pressing twice, or again after a lost answer, makes one job.
  const key = useRef({ text: '', value: '' });
  useBeginWith(from, setText);

  const create = useMutation({
    mutationFn: (start: boolean) => {
      if (key.current.text !== text) key.current = { text, value: newKey() };
      return createJob(check.parsed.file ?? {}, start, `${key.current.value}-${start}`);
    },
    onSuccess: async (job, start) => {
      notify({ message: t(start ? 'done.submitted' : 'done.created', { name: job.name }) });
      void client.invalidateQueries({ queryKey: keys.jobs });
      await navigate({ to: '/jobs/$job', params: { job: job.id } });
    },
    onError: (error) => {
      const errors = error instanceof ApiError ? error.problem.errors : [];
      setRefused({ text, errors });
      if (errors.length === 0) notify({ bad: true, title: t('submit.refused'), message: errorText(error, t) });
    },
  });

  const blocked = check.parsed.file === null || create.isPending;
  const submit = (start: boolean) => {
    if (!blocked) create.mutate(start);
  };

  const actions = (
    <>
      <Button variant="default" disabled={blocked} onClick={() => submit(false)}>{t('submit.createOnly')}</Button>
      <Button leftSection={<Icon name="play" size={14} />} disabled={blocked} loading={create.isPending} onClick={() => submit(true)} title={t('submit.keys')}>
        {t('submit.submit')}
      </Button>
    </>
  );
  return (
    <Page title={t('submit.title')} actions={actions} fill>
      <div className={style.intro}>
        <Select
          aria-label={t('submit.example')}
          placeholder={t('submit.example')}
          className={style.example}
          data={EXAMPLES.map(({ id, label }) => ({ value: id, label: t(label) }))}
          value={EXAMPLES.find((example) => example.text === text)?.id ?? null}
          onChange={(id) => setText(EXAMPLES.find((example) => example.id === id)?.text ?? text)}
        />
        <p className={style.quiet}>{t('submit.help')}</p>
      </div>
      <JobEditor text={text} onText={setText} check={check} onSubmit={() => submit(true)} />
    </Page>
  );
}

/** The file of another job, under a name of its own. */
function useBeginWith(from: string | undefined, setText: (text: string) => void): void {
  const source = useQuery({ queryKey: keys.jobDetail(from ?? ''), queryFn: ({ signal }) => getJob(from ?? '', signal), enabled: from !== undefined });
  const filled = useRef(false);
  useEffect(() => {
    if (!source.data || filled.current) return;
    filled.current = true;
    setText(toYaml({ ...source.data.spec, name: `${source.data.name.slice(0, 58)}-copy` }));
  }, [source.data, setText]);
}

/** `crypto.randomUUID` exists on secure origins only; a plain HTTP address in a lab is none. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
