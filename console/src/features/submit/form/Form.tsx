/** The job file as a form: sections that show only what applies, and what the file says beyond it. */
import { useMemo } from 'react';
import type { JobFile } from '@/api/jobs';
import { listed, useT } from '@/app/i18n';
import { KEY_ORDER } from '@/parts/jobs/job-file-keys';
import { isWorkspace } from '../file/reading';
import { SECTIONS } from '../file/sections';
import type { SectionName } from '../file/sections';
import { Basics } from './Basics';
import { useForm } from './context';
import { Placement } from './Placement';
import { Run } from './Run';
import { Size } from './Size';
import { Trouble } from './Trouble';
import style from './Form.module.css';

const NOT_HERE = new Set(['apps']);
const PARTS = { basics: Basics, run: Run, size: Size, where: Placement, trouble: Trouble };

/** A workspace is restarted by hand: what to do in trouble is shown only where its file says something. */
export function sectionsFor(file: JobFile): readonly SectionName[] {
  const speaksOfTrouble =
    file.on !== undefined ||
    file.restarts !== undefined ||
    file.backoff !== undefined ||
    file.hang_after !== undefined ||
    file.checkpoint !== undefined;
  return isWorkspace(file) && !speaksOfTrouble ? SECTIONS.filter((name) => name !== 'trouble') : SECTIONS;
}

/** `locked`: the file cannot be read at the moment; the form shows what it last said. */
export function Form({ locked }: { locked: boolean }) {
  const t = useT();
  const { file } = useForm();
  const sections = useMemo(() => sectionsFor(file), [file]);
  const beyond = Object.keys(file).filter((key) => NOT_HERE.has(key) || !KEY_ORDER.includes(key));
  return (
    <fieldset className={style.form} disabled={locked} aria-label={t('form.title')}>
      {sections.map((name) => {
        const Part = PARTS[name];
        return <Part key={name} />;
      })}
      {beyond.length > 0 && <p className={style.beyond}>{t('form.beyond', { keys: listed(beyond) })}</p>}
    </fieldset>
  );
}
