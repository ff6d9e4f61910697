/** The job file as the server understood it; of a copy also what differs from its source. */
import { Button, SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useMemo } from 'react';
import { getJob, jobKeys } from '@/api/jobs';
import type { JobDetail } from '@/api/jobs';
import { ApiError } from '@/api/problem';
import { useT } from '@/app/i18n';
import { toYaml } from '@/parts/jobs/job-file';
import { Copy } from '@/ui/words/clipboard';
import { Icon } from '@/ui/icons';
import { EmptyState, ErrorState, Skeleton } from '@/ui/page/States';
import type { PartProps } from '../parts';
import { save } from '../logs/download';
import { JobFit } from '../top/JobFit';
import { Policies } from './Policies';
import layout from '@/ui/page/layout.module.css';
import style from './Spec.module.css';

const CodeEditor = lazy(() => import('@/ui/code/CodeEditor'));
const DiffView = lazy(() => import('@/ui/code/DiffView'));

export function SpecView({ job, search, onChange }: Pick<PartProps, 'job' | 'search' | 'onChange'>) {
  const comparing = search.compare === 'on';
  const t = useT();
  const text = useMemo(() => toYaml(job.spec), [job.spec]);
  const { cloned_from: source } = job;
  return (
    <div className={layout.fills}>
      <div className={layout.toolbar}>
        {source && (
          <SegmentedControl
            aria-label={t('spec.show')}
            value={comparing ? 'diff' : 'file'}
            onChange={(value) => onChange({ compare: value === 'diff' ? 'on' : undefined })}
            data={[
              { value: 'file', label: t('spec.file') },
              { value: 'diff', label: t('spec.diff', { source: source.name }) },
            ]}
          />
        )}
        <span className={style.asUnderstood}>{t('spec.asUnderstood')}</span>
        <Copy words text={text} label={t('action.copy')} />
        <Button
          variant="default"
          leftSection={<Icon name="download" size={14} />}
          onClick={() => save(new Blob([text], { type: 'application/yaml' }), `${job.name}.yaml`)}
        >
          {t('spec.download')}
        </Button>
      </div>
      <JobFit job={job} />
      <Policies job={job} />
      <Suspense fallback={<Skeleton />}>
        {source && comparing ? <Comparison source={source} text={text} /> : <CodeEditor value={text} label={t('tab.spec')} readOnly />}
      </Suspense>
    </div>
  );
}

function Comparison({ source, text }: { source: NonNullable<JobDetail['cloned_from']>; text: string }) {
  const t = useT();
  const original = useQuery({ queryKey: jobKeys.detail(source.id), queryFn: ({ signal }) => getJob(source.id, signal) });
  if (original.isPending) return <Skeleton />;
  if (original.error instanceof ApiError && original.error.status === 404) {
    return (
      <EmptyState icon="copy" title={t('spec.sourceGone', { source: source.name })}>
        {t('spec.sourceGoneText')}
      </EmptyState>
    );
  }
  if (!original.data) return <ErrorState error={original.error} retry={() => void original.refetch()} />;
  const before = toYaml(original.data.spec);
  if (before === text) return <EmptyState icon="done" title={t('spec.same', { source: source.name })} />;
  return <DiffView label={t('spec.diff', { source: source.name })} before={before} after={text} />;
}
