/** A table with a column for each job. */
import { titleOf } from '@/api/jobs';
import type { JobDetail } from '@/api/jobs';
import { useT } from '@/app/i18n';
import { seriesToken } from '@/ui/theme/palette';
import type { Row } from './joined';
import ink from '@/ui/theme/ink.module.css';
import style from './Compare.module.css';

interface Props {
  label: string;
  jobs: JobDetail[];
  /** What the first column is about. */
  head: string;
  rows: Row[];
}

export function Values({ label, jobs, head, rows }: Props) {
  const t = useT();
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must be reachable by keyboard
    <div className={style.scroll} tabIndex={0} role="region" aria-label={label}>
      <table className={style.values}>
        <thead>
          <tr>
            <th scope="col">{head}</th>
            {jobs.map((job, at) => (
              <th key={job.id} scope="col">
                <span className={style.swatch} style={{ background: `var(--${seriesToken(at)})` }} /> {titleOf(job)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, values }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {values.map((value, at) => (
                <td key={jobs[at]?.id ?? at} title={value}>
                  {value === undefined ? <span className={ink.quiet}>{t('compare.unset')}</span> : value}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
