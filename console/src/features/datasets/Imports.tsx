/** Imports of public sets: how far one is, and how it ended. */
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { datasetKeys, resumeImport } from '@/api/datasets';
import type { DatasetAct } from '@/api/datasets';
import { useSentence, useT } from '@/app/i18n';
import { useSave } from '@/parts/useSave';
import { Notice } from '@/ui/page/Panel';
import { formatBytes } from '@/ui/words/format';
import { Ago } from '@/ui/words/Time';
import ink from '@/ui/theme/ink.module.css';
import layout from '@/ui/page/layout.module.css';
import style from './Datasets.module.css';

/** Of the part that is on its way now. */
export function Import({ act, cancel }: { act: DatasetAct; cancel: ReactNode }) {
  const t = useT();
  const title = t('datasets.importing', { recipe: act.recipe ?? '' });
  const percent = act.bytes_total ? Math.min(100, Math.round((act.bytes / act.bytes_total) * 100)) : undefined;
  const told = {
    part: Math.min(act.parts + 1, act.parts_total),
    parts: act.parts_total,
    size: formatBytes(act.bytes),
    total: formatBytes(act.bytes_total ?? 0),
  };
  return (
    <li className={style.act}>
      <span className={ink.strong}>{title}</span>
      <span
        className={style.progress}
        role="progressbar"
        aria-label={title}
        aria-valuenow={percent}
        aria-valuemin={0}
        aria-valuemax={100}
        data-waits={act.state === 'waiting' || undefined}
        data-open={percent === undefined || undefined}
      >
        <i style={percent === undefined ? undefined : { width: `${percent}%` }} />
      </span>
      <span className={ink.quiet}>
        {t(percent === undefined ? 'datasets.importedSoFar' : 'datasets.importedOf', told)}{' '}
        <Link to="/transfers">{t('datasets.toTransfers')}</Link>
      </span>
      {cancel}
    </li>
  );
}

export function EndedImport({ dataset, act }: { dataset: string; act: DatasetAct }) {
  const t = useT();
  const say = useSentence();
  const again = useSave({
    save: () => resumeImport(dataset, act.id),
    invalidate: [datasetKeys.acts(dataset)],
    always: true,
    failed: t('datasets.failed'),
  });
  if (act.state === 'done') return null;
  const failed = act.state === 'failed';
  const title = t(failed ? 'datasets.importFailed' : 'datasets.importCancelled', { recipe: act.recipe ?? '' });
  return (
    <Notice tone={failed ? 'red' : 'grey'} icon={failed ? 'failed' : 'info'} title={title}>
      <div className={layout.rows}>
        <span>
          {act.error ? say(act.error) : t('datasets.importCancelledText')}{' '}
          <span className={ink.quiet}>{act.ended_at && <Ago at={act.ended_at} />}</span>
        </span>
        <span>
          <Button size="compact-xs" variant="default" loading={again.isPending} onClick={() => again.mutate()}>
            {t('datasets.resume')}
          </Button>
        </span>
      </div>
    </Notice>
  );
}
