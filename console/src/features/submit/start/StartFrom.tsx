/** What a new job begins with: nothing, an example, a template, or a job of one's own. Folded, since the form comes first. */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { jobKeys, listJobs, titleOf } from '@/api/jobs';
import { listTemplates, templateKeys } from '@/api/templates';
import type { MessageKey } from '@/app/i18n';
import { useT } from '@/app/i18n';
import { useMe } from '@/app/session';
import { changeInWords } from '@/parts/jobs/changes';
import { Icon } from '@/ui/icons';
import { Skeleton } from '@/ui/page/States';
import type { SubmitSearch } from '../search';
import { GROUPS } from './useExamples';
import type { Offered } from './useExamples';
import ink from '@/ui/theme/ink.module.css';
import style from '../Submit.module.css';

const JobChoice = lazy(() => import('./JobChoice'));

interface Props {
  chosen: SubmitSearch;
  /** What there is to begin with; the first is nothing. */
  examples: readonly Offered[];
  /** The name of the job it begins with. */
  jobName?: string | undefined;
  /** The name of the template it begins with. */
  templateName?: string | undefined;
  onChoose: (search: SubmitSearch) => void;
}

/** The smallest, which runs as it stands. */
const FIRST_EXAMPLE = 'hello';
const GROUP_WORDS: Record<Offered['group'], MessageKey> = { basics: 'example.basics', frameworks: 'example.frameworks' };

export function StartFrom({ chosen, examples, jobName, templateName, onChoose }: Props) {
  const t = useT();
  const [open, setOpen] = useState(false);
  const blank = chosen.from === undefined && chosen.example === undefined && chosen.template === undefined;
  const [copying, setCopying] = useState(false);
  const example = examples.find(({ id }) => id === chosen.example) ?? examples[0];
  const began =
    chosen.from !== undefined
      ? t('start.copyOf', { name: jobName ?? chosen.from })
      : chosen.template !== undefined
        ? t('start.template', { name: templateName ?? chosen.template })
        : example?.label;
  if (!open) {
    return (
      <div className={style.startLine}>
        <span className={style.quiet}>{t('start.title')}</span>
        <strong>{began}</strong>
        {chosen.set && (
          <span>
            {t('start.with', {
              changes: chosen.set.map((change) => changeInWords(change, (path) => t('start.without', { path }))).join(', '),
            })}
          </span>
        )}
        {blank && (
          <Button variant="light" size="compact-xs" onClick={() => onChoose({ example: FIRST_EXAMPLE })}>
            {t('start.withExample')}
          </Button>
        )}
        <Button variant="default" size="compact-xs" aria-expanded={false} onClick={() => setOpen(true)}>
          {blank ? t('start.all') : t('start.change')}
        </Button>
        {blank && <Own onChoose={onChoose} />}
      </div>
    );
  }
  return (
    <section className={style.start} aria-labelledby="start-title">
      <div className={style.startHead}>
        <h2 id="start-title" className={ink.heading}>
          {t('start.title')}
        </h2>
        <Button variant="default" size="compact-xs" aria-expanded onClick={() => setOpen(false)}>
          {t('start.fold')}
        </Button>
      </div>
      <TemplateGallery chosen={chosen.template} onChoose={(template) => onChoose({ template })} />
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
                  aria-pressed={chosen.from === undefined && chosen.template === undefined && example?.id === id}
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

const RECENT = { limit: 3, owner: 'me', sort: '-created' } as const;
const OWN_TEMPLATES = 2;

/** What is most likely wanted: the person's latest jobs, then templates, their own first. */
function Own({ onChoose }: Pick<Props, 'onChoose'>) {
  const t = useT();
  const me = useMe().name;
  const jobs = useQuery({ queryKey: jobKeys.page(RECENT), queryFn: ({ signal }) => listJobs(RECENT, signal), retry: false });
  const templates = useQuery({ queryKey: templateKeys.list, queryFn: ({ signal }) => listTemplates(signal), retry: false });
  const own = (templates.data ?? []).toSorted((a, b) => Number(b.owner === me) - Number(a.owner === me)).slice(0, OWN_TEMPLATES);
  return (
    <span className={style.own}>
      {jobs.data?.items.map((job) => (
        <button
          key={job.id}
          type="button"
          className={style.recent}
          title={t('start.copyOf', { name: titleOf(job) })}
          onClick={() => onChoose({ from: job.id })}
        >
          <Icon name="copy" size={14} />
          <span className={ink.cut}>{titleOf(job)}</span>
        </button>
      ))}
      {own.map(({ id, name }) => (
        <button
          key={id}
          type="button"
          className={style.recent}
          title={t('start.template', { name })}
          onClick={() => onChoose({ template: id })}
        >
          <Icon name="book" size={14} />
          <span className={ink.cut}>{name}</span>
        </button>
      ))}
    </span>
  );
}

/** So many are offered at once. */
const SHOWN = 12;

/** The first of those there are, and the way to all; nothing where there are none. */
function TemplateGallery({ chosen, onChoose }: { chosen: string | undefined; onChoose: (template: string) => void }) {
  const t = useT();
  const templates = useQuery({ queryKey: templateKeys.list, queryFn: ({ signal }) => listTemplates(signal), retry: false });
  if (!templates.data?.length) return null;
  return (
    <div role="group" aria-labelledby="start-templates">
      <h3 id="start-templates" className={style.galleryTitle}>
        {t('templates.gallery')}
      </h3>
      <div className={style.gallery}>
        {templates.data.slice(0, SHOWN).map(({ id, name, owner, description }) => (
          <button key={id} type="button" className={style.example} aria-pressed={chosen === id} onClick={() => onChoose(id)}>
            <span className={style.exampleName}>{name}</span>
            <span className={style.exampleAbout} title={description}>
              {description || owner}
            </span>
          </button>
        ))}
      </div>
      {templates.data.length > SHOWN && <Link to="/templates">{t('templates.all', { count: templates.data.length })}</Link>}
    </div>
  );
}
