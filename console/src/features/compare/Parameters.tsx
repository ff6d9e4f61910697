/** What the files of the jobs say: what differs, and behind it what does not. */
import { useMemo } from 'react';
import type { JobDetail } from '@/api/jobs';
import { useT } from '@/app/i18n';
import { parametersOf } from '@/parts/jobs/compared';
import { Panel } from '@/ui/page/Panel';
import { Values } from './Values';
import ink from '@/ui/theme/ink.module.css';
import style from './Compare.module.css';

export function Parameters({ jobs }: { jobs: JobDetail[] }) {
  const t = useT();
  const all = useMemo(() => parametersOf(jobs), [jobs]);
  const differing = all.filter(({ differs }) => differs);
  const same = all.filter(({ differs }) => !differs);
  const head = t('compare.parameter');
  return (
    <Panel title={t('compare.differ')} flush>
      {differing.length === 0 ? (
        <p className={`${style.none} ${ink.quiet}`}>{t('compare.sameAll')}</p>
      ) : (
        <Values label={t('compare.differ')} jobs={jobs} head={head} rows={differing} />
      )}
      {same.length > 0 && (
        <details className={style.same}>
          <summary>{t('compare.same', { count: same.length })}</summary>
          <Values label={t('compare.same', { count: same.length })} jobs={jobs} head={head} rows={same} />
        </details>
      )}
    </Panel>
  );
}
