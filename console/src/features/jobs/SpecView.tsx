/** The job file as the server understood it. */
import { Button, CopyButton } from '@mantine/core';
import { lazy, useMemo } from 'react';
import type { JobDetail } from '@/api/types';
import { useT } from '@/app/i18n';
import { Icon } from '@/ui/icons';
import { toYaml } from './job-file';
import style from './JobPage.module.css';

const CodeEditor = lazy(() => import('@/ui/CodeEditor'));

export default function SpecView({ job }: { job: JobDetail }) {
  const t = useT();
  const text = useMemo(() => toYaml(job.spec), [job.spec]);
  return (
    <div className={style.log}>
      <div className={style.toolbar}>
        <span className={style.version}>{t('spec.version', { version: job.version })}</span>
        <CopyButton value={text}>
          {({ copied, copy }) => (
            <Button variant="default" leftSection={<Icon name={copied ? 'done' : 'copy'} size={14} />} onClick={copy}>
              {copied ? t('action.copied') : t('action.copy')}
            </Button>
          )}
        </CopyButton>
      </div>
      <CodeEditor value={text} label={t('tab.spec')} readOnly />
    </div>
  );
}
