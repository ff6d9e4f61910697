/** What changed from one text to another, line by line; heavy, so pages load it lazily. */
import { diffLines } from 'diff';
import { useMemo, useState } from 'react';
import { useT } from '@/app/i18n';
import { changedLines } from './DiffView-lines';
import type { DiffPart } from './DiffView-lines';
import style from './DiffView.module.css';

export default function DiffView({ label, before, after }: { label: string; before: string; after: string }) {
  const parts = useMemo(() => changedLines(diffLines(before, after)), [before, after]);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must be reachable by keyboard
    <div className={style.diff} role="region" aria-label={label} tabIndex={0}>
      {parts.map((part) => (
        <Part key={part.at} part={part} />
      ))}
    </div>
  );
}

function Part({ part }: { part: DiffPart }) {
  const t = useT();
  const [open, setOpen] = useState(false);
  if (part.kind === 'folded' && !open) {
    return (
      <button type="button" className={style.fold} onClick={() => setOpen(true)}>
        {t('diff.unchanged', { count: part.lines.length })}
      </button>
    );
  }
  const Element = part.kind === 'added' ? 'ins' : part.kind === 'removed' ? 'del' : 'div';
  return (
    <Element className={style.part} data-kind={part.kind}>
      {part.kind === 'added' && <span className="visually-hidden">{t('diff.added', { count: part.lines.length })}</span>}
      {part.kind === 'removed' && <span className="visually-hidden">{t('diff.removed', { count: part.lines.length })}</span>}
      {part.lines.map((line, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- the lines of a part never move
        <span key={index} className={style.line}>
          {line}
        </span>
      ))}
    </Element>
  );
}
