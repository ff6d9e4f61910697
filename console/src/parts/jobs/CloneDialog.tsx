/** A copy of a job: the next run of its name, or under another. */
import '@/ui/theme/kit-forms.css';
import { Button, Checkbox, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { useState } from 'react';
import { cloneJob, jobKeys, titleOf } from '@/api/jobs';
import { useT } from '@/app/i18n';
import { useSave } from '@/parts/useSave';
import { Dialog } from '@/ui/dialog/Dialog';
import QuotaNotice from '@/parts/quotas/QuotaNotice';
import { shortfallsOf } from '@/parts/quotas/shortfalls';
import { errorText } from '@/ui/page/States';
import type { JobRef } from './useJobActions';
import layout from '@/ui/page/layout.module.css';
import ink from '@/ui/theme/ink.module.css';

export default function CloneDialog({ job, onClose }: { job: JobRef; onClose: () => void }) {
  const t = useT();
  const navigate = useNavigate();
  const [name, setName] = useState(job.name);
  const [start, setStart] = useState(true);
  const clone = useSave({
    save: () => cloneJob(job.id, name.trim(), start),
    close: onClose,
    invalidate: [jobKeys.all],
    leads: ({ id }) => navigate({ to: '/jobs/$job', params: { job: id } }),
  });
  const short = shortfallsOf(clone.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    clone.mutate();
  };
  return (
    <Dialog title={t('clone.title', { name: titleOf(job) })} onClose={onClose}>
      <form onSubmit={submit} className={layout.form}>
        <TextInput
          data-autofocus
          label={t('clone.name')}
          description={t('clone.nameRule')}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={clone.error && !short ? errorText(clone.error, t) : undefined}
        />
        {short && <QuotaNotice shortfalls={short} />}
        <Checkbox label={t('clone.start')} checked={start} onChange={(event) => setStart(event.currentTarget.checked)} />
        <p className={ink.quiet}>
          {t('clone.editInstead')}{' '}
          <a
            href={`jobs/new?from=${job.id}`}
            onClick={(event) => {
              event.preventDefault();
              onClose();
              void navigate({ to: '/jobs/new', search: { from: job.id } });
            }}
          >
            {t('clone.openEditor')}
          </a>
        </p>
        <div className={layout.answers}>
          <Button variant="default" onClick={onClose}>
            {t('action.cancel')}
          </Button>
          <Button type="submit" loading={clone.isPending}>
            {t('job.clone')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
