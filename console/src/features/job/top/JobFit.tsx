/** A quiet line of a job that has ended: what it used, and the flavor that it would fit in. */
import { Link } from '@tanstack/react-router';
import type { JobDetail } from '@/api/jobs';
import { useT } from '@/app/i18n';
import { isActive } from '@/parts/jobs/actions';
import { useFit } from '@/parts/jobs/useFit';
import style from './JobFit.module.css';

export function JobFit({ job }: { job: JobDetail }) {
  const t = useT();
  const fit = useFit(isActive(job.state) || job.attempt === 0 ? undefined : job.id);
  if (!fit) return null;
  const { used, flavor } = fit;
  const { roles, nodes, flavor: named } = job.spec;
  if (!flavor) return <p className={style.fit}>{used}</p>;
  if (named === flavor.name) return <p className={style.fit}>{t('fit.chosen', { used, name: flavor.name })}</p>;
  // Of several roles, or of a total that is divided, there is no one size to be changed.
  const single = roles === undefined && nodes !== 'auto';
  return (
    <p className={style.fit}>
      <span>{t('fit.wouldFit', { used, name: flavor.name })}</span>
      {single && job.actions.includes('edit') && (
        <Link to="/jobs/$job/edit" params={{ job: job.id }}>
          {t('job.edit')}
        </Link>
      )}
      {single && job.actions.includes('clone') && (
        <Link to="/jobs/new" search={{ from: job.id, set: [`flavor:${flavor.name}`, 'resources:'] }}>
          {t('fit.clone', { name: flavor.name })}
        </Link>
      )}
    </p>
  );
}
