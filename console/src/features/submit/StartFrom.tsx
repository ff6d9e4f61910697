/** What a new job begins with: nothing, an example, or a job of one's own. */
import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import type { MessageKey } from '@/app/i18n';
import { useT } from '@/app/i18n';
import { changeInWords } from '@/parts/jobs/changes';
import { Icon } from '@/ui/icons';
import { Skeleton } from '@/ui/page/States';
import type { SubmitSearch } from './search';
import { GROUPS } from './useExamples';
import type { Offered } from './useExamples';
import ink from '@/ui/theme/ink.module.css';
import style from './Submit.module.css';

const JobChoice = lazy(() => import('./JobChoice'));

interface Props {
  chosen: SubmitSearch;
  /** What there is to begin with; the first is nothing. */
  examples: readonly Offered[];
  /** The name of the job it begins with. */
  jobName?: string | undefined;
  onChoose: (search: SubmitSearch) => void;
}

const GROUP_WORDS: Record<Offered['group'], MessageKey> = { basics: 'example.basics', frameworks: 'example.frameworks' };

export function StartFrom({ chosen, examples, jobName, onChoose }: Props) {
  const t = useT();
  const [open, setOpen] = useState(chosen.from === undefined && chosen.example === undefined);
  const [copying, setCopying] = useState(false);
  const example = examples.find(({ id }) => id === chosen.example) ?? examples[0];
  if (!open) {
    return (
      <div className={style.startLine}>
        <span className={style.quiet}>{t('start.title')}</span>
        <strong>{chosen.from === undefined ? example?.label : t('start.copyOf', { name: jobName ?? chosen.from })}</strong>
        {chosen.set && (
          <span>
            {t('start.with', {
              changes: chosen.set.map((change) => changeInWords(change, (path) => t('start.without', { path }))).join(', '),
            })}
          </span>
        )}
        <Button variant="default" size="compact-xs" onClick={() => setOpen(true)}>
          {t('start.change')}
        </Button>
      </div>
    );
  }
  return (
    <section className={style.start} aria-labelledby="start-title">
      <h2 id="start-title" className={ink.heading}>
        {t('start.title')}
      </h2>
      {GROUPS.map((group) => ({ group, shown: examples.filter((each) => each.group === group) }))
        .filter(({ shown }) => shown.length > 0)
        .map(({ group, shown }) => (
          <div key={group} role="group" aria-labelledby={`start-${group}`}>
            <h3 id={`start-${group}`} className={style.galleryTitle}>
              {t(GROUP_WORDS[group])}
            </h3>
            <div className={style.gallery}>
              {shown.map(({ id, label, about }) => (
                <button
                  key={id}
                  type="button"
                  className={style.example}
                  aria-pressed={chosen.from === undefined && example?.id === id}
                  onClick={() => onChoose({ example: id })}
                >
                  <span className={style.exampleName}>{label}</span>
                  <span className={style.exampleAbout} title={about}>
                    {about}
                  </span>
                </button>
              ))}
            </div>
          </div>
        ))}
      <div className={style.jobChoice}>
        {copying ? (
          <Suspense fallback={<Skeleton rows={1} />}>
            <JobChoice onChoose={(from) => onChoose({ from })} />
          </Suspense>
        ) : (
          <Button variant="default" leftSection={<Icon name="copy" size={14} />} onClick={() => setCopying(true)}>
            {t('start.job')}
          </Button>
        )}
      </div>
    </section>
  );
}
