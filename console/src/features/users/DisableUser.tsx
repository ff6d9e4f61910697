/** Disabling somebody: says what ends at once and asks what becomes of the jobs; and the way back. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { groupKeys } from '@/api/groups';
import { editUser, getUser, userKeys } from '@/api/people';
import type { JobsFate as Fate, User } from '@/api/people';
import { ApiError } from '@/api/problem';
import { useT } from '@/app/i18n';
import { useSave } from '@/parts/useSave';
import { FormDialog } from '@/ui/dialog/FormDialog';
import { Skeleton } from '@/ui/page/States';
import { JobsFate } from './JobsFate';

export default function DisableUser({ user: { name, disabled }, onClose }: { user: User; onClose: () => void }) {
  const t = useT();
  const [fate, setFate] = useState<Fate | null>(null);
  const detail = useQuery({
    queryKey: userKeys.one(name),
    queryFn: ({ signal }) => getUser(name, signal),
    enabled: !disabled,
    staleTime: 0,
  });
  const set = useSave({
    save: () => editUser(name, { disabled: !disabled, ...(fate && { jobs: fate }) }),
    close: onClose,
    said: t(disabled ? 'people.enabledOne' : 'people.disabledOne', { name }),
    invalidate: [userKeys.all, groupKeys.all],
  });
  if (disabled) {
    return (
      <FormDialog
        title={t('people.enableTitle', { name })}
        action={t('people.enable')}
        busy={set.isPending}
        error={set.error}
        size={440}
        onSubmit={() => set.mutate()}
        onClose={onClose}
      >
        <p>{t('people.enableText')}</p>
      </FormDialog>
    );
  }
  const jobs = detail.data?.active_jobs ?? 0;
  // Some were started since the dialog asked.
  const surprised = set.error instanceof ApiError && set.error.problem.type === 'has_active_jobs';
  const asks = jobs > 0 || surprised || detail.isError;
  return (
    <FormDialog
      title={t('people.disableTitle', { name })}
      action={t('people.disable')}
      danger
      busy={set.isPending}
      error={set.error}
      disabled={detail.isPending || (asks && fate === null)}
      size={440}
      onSubmit={() => set.mutate()}
      onClose={onClose}
    >
      <p>{t('people.disableText')}</p>
      {detail.isPending && <Skeleton rows={2} />}
      {detail.data && jobs === 0 && !surprised && <p>{t('people.noJobs')}</p>}
      {asks && (
        <JobsFate
          label={jobs > 0 ? t('people.jobsQuestion', { count: jobs }) : t('people.jobsQuestionMany')}
          value={fate}
          onChange={setFate}
        />
      )}
    </FormDialog>
  );
}
