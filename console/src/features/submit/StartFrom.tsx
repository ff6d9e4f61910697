/** What a new job begins with: nothing, an example, or a job of one's own. */
import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { useT } from '@/app/i18n';
import { changeInWords } from '@/parts/jobs/changes';
import { Icon } from '@/ui/icons';
import { Skeleton } from '@/ui/States';
import { EXAMPLES } from './examples';
import type { SubmitSearch } from './search';
import style from './Submit.module.css';

const JobChoice = lazy(() => import('./JobChoice'));

interface Props {
  chosen: SubmitSearch;
  /** The name of the job it begins with. */
  jobName?: string | undefined;
  onChoose: (search: SubmitSearch) => void;
}

export function StartFrom({ chosen, jobName, onChoose }: Props) {
  const t = useT();
  const [open, setOpen] = useState(chosen.from === undefined && chosen.example === undefined);
  const [copying, setCopying] = useState(false);
  const example = EXAMPLES.find(({ id }) => id === chosen.example) ?? EXAMPLES[0]!;
  if (!open) {
    return (
      <div className={style.startLine}>
        <span className={style.quiet}>{t('start.title')}</span>
        <strong>{chosen.from === undefined ? t(example.label) : t('start.copyOf', { name: jobName ?? chosen.from })}</strong>
        {chosen.set && <span>{t('start.with', { changes: chosen.set.map((change) => changeInWords(change, (path) => t('start.without', { path }))).join(', ') })}</span>}
        <Button variant="default" size="compact-xs" onClick={() => setOpen(true)}>{t('start.change')}</Button>
      </div>
    );
  }
  return (
    <section className={style.start} aria-labelledby="start-title">
      <h2 id="start-title" className={style.startTitle}>{t('start.title')}</h2>
      <div className={style.gallery}>
        {EXAMPLES.map(({ id, label, about }) => (
          <button key={id} type="button" className={style.example} aria-pressed={chosen.from === undefined && example.id === id} onClick={() => onChoose({ example: id })}>
            <span className={style.exampleName}>{t(label)}</span>
            <span className={style.exampleAbout}>{t(about)}</span>
          </button>
        ))}
      </div>
      <div className={style.jobChoice}>
        {copying ? (
          <Suspense fallback={<Skeleton rows={1} />}><JobChoice onChoose={(from) => onChoose({ from })} /></Suspense>
        ) : (
          <Button variant="default" leftSection={<Icon name="copy" size={14} />} onClick={() => setCopying(true)}>{t('start.job')}</Button>
        )}
      </div>
    </section>
  );
}
