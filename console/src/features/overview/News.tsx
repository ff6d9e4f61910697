/** What became of one's own jobs lately; those that failed say why. */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { titleOf } from '@/api/jobs';
import type { JobRow } from '@/api/jobs';
import { useSentence, useT } from '@/app/i18n';
import { newsQuery } from '@/parts/news';
import { EmptyState } from '@/ui/page/States';
import { JobStatus } from '@/ui/words/Status';
import { Ago, Duration } from '@/ui/words/Time';
import { Section } from './Section';
import ink from '@/ui/theme/ink.module.css';
import style from './Overview.module.css';

const SHOWN = 6;

export function News() {
  const t = useT();
  const news = useQuery(newsQuery);
  const count = news.data?.length ?? 0;
  const all = count > 0 && (
    <Link to="/jobs" search={{ owner: 'me', sort: '-created' }}>
      {t('overview.allMine')}
    </Link>
  );
  const toJobs = (
    <Button variant="default" renderRoot={(props) => <Link to="/jobs" {...props} />}>
      {t('overview.toJobs')}
    </Button>
  );
  return (
    <Section title={t('overview.news')} aside={all} query={news}>
      {(items) =>
        items.length > 0 ? (
          <ul aria-label={t('overview.news')}>
            {items.slice(0, SHOWN).map((job) => (
              <Item key={job.id} job={job} />
            ))}
          </ul>
        ) : (
          <EmptyState small icon="bell" title={t('overview.noNews')} action={toJobs}>
            {t('overview.noNewsText')}
          </EmptyState>
        )
      }
    </Section>
  );
}

function Item({ job }: { job: JobRow }) {
  const t = useT();
  const say = useSentence();
  return (
    <li className={style.job}>
      <div className={style.jobLine}>
        <Link to="/jobs/$job" params={{ job: job.id }} className={style.jobName}>
          {titleOf(job)}
        </Link>
        <span className={style.jobEnd}>{job.ended_at && <Ago at={job.ended_at} />}</span>
      </div>
      <div className={style.jobLine}>
        <JobStatus state={job.state} />
        {job.started_at && (
          <span className={ink.fine}>
            {t('overview.ran')} <Duration from={job.started_at} to={job.ended_at} />
          </span>
        )}
      </div>
      {job.state !== 'completed' && job.reason && <p className={style.why}>{say(job.reason.text)}</p>}
    </li>
  );
}
