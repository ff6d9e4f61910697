/** The columns of the job table: plain cells only, since many are drawn while one scrolls. */
import { useRouter } from '@tanstack/react-router';
import type { AnyRouter } from '@tanstack/react-router';
import type { MouseEvent } from 'react';
import { useMemo } from 'react';
import { titleOf } from '@/api/jobs';
import type { JobRow } from '@/api/jobs';
import { useSentence, useT } from '@/app/i18n';
import type { Translate } from '@/app/i18n';
import { Person } from '@/ui/words/Person';
import type { Column } from '@/ui/table/DataTable';
import { Icon } from '@/ui/icons';
import { JobStatus } from '@/ui/words/Status';
import { Ago, Duration } from '@/ui/words/Time';
import { isActive } from '@/parts/jobs/actions';
import type { OpenMenu } from '@/parts/jobs/RowMenu';
import { KIND_WORDS, sizeOf } from '@/parts/jobs/size';
import { Metric, Nodes, Progress } from './going';
import { COLUMN_WORDS } from './views/column-choice';
import type { ColumnId } from './views/column-choice';
import lists from '@/ui/table/lists.module.css';
import ink from '@/ui/theme/ink.module.css';
import style from './Jobs.module.css';

type Cell = Omit<Column<JobRow>, 'id' | 'header'>;

/** The same array until the choice or the language changes: a new one would draw every row again. */
export function useJobColumns(shown: ColumnId[], onMenu: (open: OpenMenu) => void): Column<JobRow>[] {
  const t = useT();
  const say = useSentence();
  const router = useRouter();
  return useMemo(() => {
    const cells = cellsOf(t, say, router);
    const columns = shown.map((id) => ({ id, header: t(COLUMN_WORDS[id]), ...cells[id] }));
    return [
      ...columns,
      {
        id: 'actions',
        header: t('jobs.actions'),
        hiddenHeader: true,
        width: '52px',
        cell: (job) => <MenuButton job={job} t={t} onMenu={onMenu} />,
      },
    ];
  }, [shown, t, say, router, onMenu]);
}

function cellsOf(t: Translate, say: ReturnType<typeof useSentence>, router: AnyRouter): Record<ColumnId, Cell> {
  const open = (event: MouseEvent<HTMLAnchorElement>) => {
    // A click with a modifier or the middle button is the browser's: it opens a tab.
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    void router.navigate({ to: '/jobs/$job', params: { job: event.currentTarget.dataset.rowLink ?? '' } });
  };
  const prepare = () => void router.preloadRoute({ to: '/jobs/$job', params: { job: '-' } });
  return {
    name: {
      sort: 'name',
      // The rest of the room is for the reason.
      width: '22%',
      min: 160,
      cell: (job) => (
        <a
          href={`jobs/${job.id}`}
          className={`${ink.link} ${style.title}`}
          title={titleOf(job)}
          data-row-link={job.id}
          onClick={open}
          onPointerEnter={prepare}
        >
          <span className={ink.cut}>{job.name}</span>
          <span>{titleOf(job).slice(job.name.length)}</span>
        </a>
      ),
    },
    state: {
      sort: 'state',
      oneWay: 'up',
      min: 170,
      cell: (job) => {
        const why = job.reason && job.state !== 'completed' ? say(job.reason.text) : null;
        return (
          <span className={style.state}>
            <JobStatus state={job.state} reason={job.reason?.code} />
            {why && (
              <span className={style.why} title={why}>
                {why}
              </span>
            )}
          </span>
        );
      },
    },
    size: { width: '148px', cell: (job) => <Cut text={sizeOf(job, t)} /> },
    node: { width: '96px', cell: (job) => <Nodes names={job.placed} /> },
    progress: { width: '100px', align: 'right', cell: (job) => <Progress job={job} /> },
    metric: { width: '104px', cell: (job) => <Metric latest={job.latest} /> },
    owner: { width: '88px', cell: (job) => <Person name={job.owner} /> },
    project: { width: '84px', cell: (job) => <Cut text={job.project} /> },
    kind: { width: '88px', cell: (job) => t(KIND_WORDS[job.kind]) },
    priority: { width: '88px', cell: (job) => <Cut text={job.priority} /> },
    image: { width: '160px', cell: (job) => <Cut text={job.image} /> },
    created: { width: '92px', align: 'right', sort: 'created', cell: (job) => <Moment at={job.created_at} /> },
    queued: { width: '112px', align: 'right', cell: (job) => <Moment at={job.queued_at} /> },
    started: { width: '112px', align: 'right', cell: (job) => <Moment at={job.started_at} /> },
    ended: {
      width: '112px',
      align: 'right',
      sort: 'ended',
      oneWay: 'down',
      cell: (job) => <Moment at={isActive(job.state) ? null : job.ended_at} />,
    },
    duration: { width: '96px', align: 'right', cell: (job) => <RunTime job={job} /> },
  };
}

/** Text that may be too long for its cell: all of it on hover. */
function Cut({ text }: { text: string }) {
  return <span title={text}>{text}</span>;
}

function Moment({ at }: { at: string | null }) {
  return at ? <Ago at={at} /> : <span className={ink.quiet}>–</span>;
}

/** How long it ran, or has been waiting. */
function RunTime({ job }: { job: JobRow }) {
  if (job.started_at && job.state !== 'queued') return <Duration from={job.started_at} to={isActive(job.state) ? null : job.ended_at} />;
  if (job.queued_at && job.state === 'queued')
    return (
      <span className={ink.quiet}>
        <Duration from={job.queued_at} />
      </span>
    );
  return <span className={ink.quiet}>–</span>;
}

function MenuButton({ job, t, onMenu }: { job: JobRow; t: Translate; onMenu: (open: OpenMenu) => void }) {
  return (
    <button
      type="button"
      className={lists.menuButton}
      aria-label={t('jobs.actionsFor', { name: titleOf(job) })}
      aria-haspopup="menu"
      onClick={(event) => onMenu({ job, button: event.currentTarget })}
    >
      <Icon name="more" />
    </button>
  );
}
