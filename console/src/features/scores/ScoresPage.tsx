/** Everybody's scores, for administrators; others are led to their own. */
import { getRouteApi, Link, Navigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { listScores, scoreKeys } from '@/api/queue';
import type { Score } from '@/api/queue';
import type { Translate } from '@/app/i18n';
import { useT } from '@/app/i18n';
import { useMe } from '@/app/session';
import { useList } from '@/parts/useList';
import { ListStates } from '@/ui/page/ListPage';
import { DataTable } from '@/ui/table/DataTable';
import type { Column } from '@/ui/table/DataTable';
import { formatCount } from '@/ui/words/format';
import { Page } from '@/ui/page/Panel';
import { EmptyState } from '@/ui/page/States';
import { BY_USER, modelsOf, ranked, scoreOf } from './ranking';
import { ScoreMeaning } from './ScoreMeaning';
import { formatScore, modelName } from './words';
import ink from '@/ui/theme/ink.module.css';
import style from './Scores.module.css';

const route = getRouteApi('/app/scores');
const REFRESH_MS = 30_000;

export function ScoresPage() {
  const me = useMe();
  if (me.role !== 'administrator') return <Navigate to="/scores/$user" params={{ user: me.name }} replace />;
  return <Everybody />;
}

function Everybody() {
  const t = useT();
  const { sort = BY_USER } = route.useSearch();
  const navigate = route.useNavigate();
  const scores = useList(scoreKeys.all, listScores, REFRESH_MS);
  const models = useMemo(() => modelsOf(scores.rows), [scores.rows]);
  const columns = useMemo(() => columnsOf(scores.rows, models, t), [scores.rows, models, t]);
  const rows = useMemo(() => ranked(scores.rows, sort), [scores.rows, sort]);
  return (
    <Page title={t('nav.scores')} fill>
      <ScoreMeaning scoreTime={scores.rows[0]?.score_time} />
      <div className={style.frame}>
        <ListStates
          list={scores}
          none={
            <EmptyState icon="score" title={t('score.nobody')}>
              {t('score.noneText')}
            </EmptyState>
          }
        >
          {() => (
            <DataTable
              label={t('nav.scores')}
              columns={columns}
              rows={rows}
              rowKey={({ user }) => user}
              sort={sort}
              onSort={(by) => void navigate({ search: { sort: by }, replace: true })}
            />
          )}
        </ListStates>
      </div>
    </Page>
  );
}

function columnsOf(scores: readonly Score[], models: string[], t: Translate): Column<Score>[] {
  return [
    {
      id: 'user',
      header: t('score.user'),
      sort: BY_USER,
      width: '180px',
      cell: ({ user }) => (
        <Link to="/scores/$user" params={{ user }} className={ink.strong}>
          {user}
        </Link>
      ),
    },
    ...models.map((model): Column<Score> => {
      const highest = Math.max(...scores.map((score) => scoreOf(score, model)?.score ?? 0));
      return {
        id: model,
        header: modelName(model, t),
        sort: model,
        cell: (score) => <Bar score={score} model={model} highest={highest} />,
      };
    }),
    {
      id: 'queue',
      header: t('nav.queue'),
      hiddenHeader: true,
      width: '110px',
      hideBelow: 'phone',
      cell: ({ user }) => (
        <Link to="/queue" search={{ owner: user }} aria-label={t('score.inQueueOf', { user })}>
          {t('score.inQueue')}
        </Link>
      ),
    },
  ];
}

function Bar({ score, model, highest }: { score: Score; model: string; highest: number }) {
  const t = useT();
  const one = scoreOf(score, model);
  if (!one) return <span className={ink.fine}>–</span>;
  return (
    <Link
      to="/scores/$user"
      params={{ user: score.user }}
      search={{ model }}
      className={style.barCell}
      title={t('score.held', { count: formatCount(one.held) })}
    >
      <span className={style.figure}>{formatScore(one.score)}</span>
      <span className={style.track} aria-hidden="true">
        <span className={style.bar} style={{ width: `${highest > 0 ? (one.score / highest) * 100 : 0}%` }} />
      </span>
      {one.held > 0 && <span className={ink.fine}>{t('score.held', { count: formatCount(one.held) })}</span>}
    </Link>
  );
}
