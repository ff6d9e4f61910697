/** A part of the form that most people leave alone: folded, with what it says in a line. */
import type { ReactNode } from 'react';
import { useId, useState } from 'react';
import type { Path } from '@/parts/jobs/job-file-edit';
import { Icon } from '@/ui/icons';
import { AdviceAt } from './AdviceAt';
import { countInside, useForm } from './context';
import style from './Form.module.css';

interface Props {
  title: string;
  /** Its content in a line, shown while it is folded. */
  summary: string;
  /** A mistake shown under one of these opens it. */
  paths: readonly Path[];
  children: ReactNode;
}

export function Fold({ title, summary, paths, children }: Props) {
  const id = useId();
  const [wanted, setWanted] = useState(false);
  const { shown } = useForm();
  const open = wanted || countInside(shown, paths) > 0;
  // Once opened by a mistake it stays so while the mistake is mended.
  if (open && !wanted) setWanted(true);
  return (
    <div className={style.fold} data-open={open || undefined}>
      <button type="button" className={style.foldHead} aria-expanded={open} aria-controls={id} onClick={() => setWanted(!open)}>
        <Icon name={open ? 'down' : 'right'} size={14} />
        <span className={style.foldTitle}>{title}</span>
        {!open && <span className={style.foldSummary}>{summary}</span>}
      </button>
      {!open && <AdviceAt inside={paths} />}
      <div id={id} className={style.foldBody} hidden={!open}>
        {open && children}
      </div>
    </div>
  );
}
