/** One of the person's own jobs, found by name. */
import '@/ui/theme/kit-choices.css';
import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { jobKeys, listJobs } from '@/api/jobs';
import { useT } from '@/app/i18n';
import { Icon } from '@/ui/icons';

export default function JobChoice({ onChoose }: { onChoose: (job: string) => void }) {
  const t = useT();
  const [wanted, setWanted] = useState('');
  const [settled] = useDebouncedValue(wanted, 250);
  const query = { limit: 20, owner: 'me', search: settled || undefined };
  const jobs = useQuery({
    queryKey: jobKeys.page(query),
    queryFn: ({ signal }) => listJobs(query, signal),
    placeholderData: keepPreviousData,
  });
  return (
    <Select
      autoFocus
      defaultDropdownOpened
      aria-label={t('start.job')}
      placeholder={t('start.job')}
      leftSection={<Icon name="copy" size={14} />}
      searchable
      value={null}
      onSearchChange={setWanted}
      // The server has searched already.
      filter={({ options }) => options}
      nothingFoundMessage={t('start.noJob')}
      data={(jobs.data?.items ?? []).map(({ id, name }) => ({ value: id, label: name }))}
      onChange={(id) => id && onChoose(id)}
    />
  );
}
