/** A section of the form, and the index of all of them. */
import type { ReactNode } from 'react';
import { useEffect, useState } from 'react';
import type { FieldError } from '@/api/problem';
import type { MessageKey } from '@/app/i18n';
import { useT } from '@/app/i18n';
import { SECTION_KEYS } from '../file/sections';
import type { SectionName } from '../file/sections';
import { countInside } from './context';
import style from './Form.module.css';

const TITLES: Record<SectionName, MessageKey> = {
  basics: 'form.basics',
  run: 'form.run',
  size: 'form.size',
  where: 'form.where',
  trouble: 'form.trouble',
};

export function Section({ name, children }: { name: SectionName; children: ReactNode }) {
  const t = useT();
  return (
    <section id={`section-${name}`} className={style.section} aria-labelledby={`title-${name}`}>
      <h2 id={`title-${name}`} className={style.sectionTitle} tabIndex={-1}>
        {t(TITLES[name])}
      </h2>
      {children}
    </section>
  );
}

interface IndexProps {
  sections: readonly SectionName[];
  shown: FieldError[];
  /** What scrolls. */
  scroller: HTMLElement | null;
}

export function SectionIndex({ sections, shown, scroller }: IndexProps) {
  const t = useT();
  const here = useSectionInView(scroller, sections);
  return (
    <nav className={style.index} aria-label={t('form.index')}>
      <ul>
        {sections.map((name) => {
          const wrong = countInside(
            shown,
            SECTION_KEYS[name].map((key) => [key]),
          );
          return (
            <li key={name}>
              <button type="button" className={style.indexItem} aria-current={here === name || undefined} onClick={() => go(name)}>
                {t(TITLES[name])}
                {wrong > 0 && (
                  <span className={style.wrong} aria-label={t('submit.problems', { count: wrong })}>
                    {wrong}
                  </span>
                )}
              </button>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

function go(name: SectionName): void {
  document.getElementById(`section-${name}`)?.scrollIntoView({ block: 'start' });
  document.getElementById(`title-${name}`)?.focus({ preventScroll: true });
}

/** The last section whose head has passed the top; at the very end, the last one. */
function useSectionInView(scroller: HTMLElement | null, sections: readonly SectionName[]): SectionName | undefined {
  const [here, setHere] = useState(sections[0]);
  useEffect(() => {
    if (!scroller) return undefined;
    const look = () => {
      const top = scroller.getBoundingClientRect().top + 80;
      const passed = sections.filter(
        (name) => (document.getElementById(`section-${name}`)?.getBoundingClientRect().top ?? Number.POSITIVE_INFINITY) <= top,
      );
      const atEnd = scroller.scrollTop > 0 && scroller.scrollTop + scroller.clientHeight >= scroller.scrollHeight - 4;
      setHere(atEnd ? sections.at(-1) : (passed.at(-1) ?? sections[0]));
    };
    scroller.addEventListener('scroll', look, { passive: true });
    return () => scroller.removeEventListener('scroll', look);
  }, [scroller, sections]);
  return here;
}
