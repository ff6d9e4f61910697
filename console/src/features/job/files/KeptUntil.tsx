/** How long the results of a job are kept, how much there is, and a button to keep them. */
import { Button } from '@mantine/core';
import { fileKeys, keepFiles, unkeepFiles } from '@/api/files';
import type { Retention } from '@/api/files';
import type { JobDetail } from '@/api/jobs';
import { useLocale, useT } from '@/app/i18n';
import { useSave } from '@/parts/useSave';
import { formatBytes, formatExact } from '@/ui/words/format';
import ink from '@/ui/theme/ink.module.css';

export function KeptUntil({ job, retention: { size, until, wanted } }: { job: JobDetail; retention: Retention }) {
  const t = useT();
  const locale = useLocale();
  const keep = useSave({
    save: () => (wanted ? unkeepFiles(job.id) : keepFiles(job.id)),
    invalidate: [fileKeys.all(job.id)],
    failed: t('files.keepFailed'),
  });
  const when = until === null ? undefined : formatExact(Date.parse(until), locale);
  const said = when !== undefined ? t('files.keptUntil', { when }) : wanted ? t('files.keptForGood') : t('files.keptForNow');
  return (
    <>
      <span className={ink.fine}>
        {said}
        {size !== null && ` · ${formatBytes(size)}`}
      </span>
      {job.actions.includes('restart') && (
        <Button variant="default" loading={keep.isPending} onClick={() => keep.mutate()}>
          {wanted ? t('files.unkeep') : t('files.keep')}
        </Button>
      )}
    </>
  );
}
