/** What becomes of the jobs of people who are disabled: nobody decides that by accident, so it must be said. */
import { useT } from '@/app/i18n';
import type { JobsFate as Fate } from '@/api/people';
import style from './JobsFate.module.css';

interface Props {
  /** What is asked. */
  label: string;
  value: Fate | null;
  onChange: (fate: Fate) => void;
}

export function JobsFate({ label, value, onChange }: Props) {
  const t = useT();
  return (
    <fieldset className={style.fate}>
      <legend>{label}</legend>
      {(['keep', 'stop'] as const).map((fate) => (
        <label key={fate} className={style.choice}>
          <input type="radio" name="jobs" checked={value === fate} onChange={() => onChange(fate)} />
          <span>
            {t(fate === 'keep' ? 'people.keepJobs' : 'people.stopJobs')}
            <span className={style.hint}>{t(fate === 'keep' ? 'people.keepJobsHint' : 'people.stopJobsHint')}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
