/** A person's score: what it is for each GPU model, how it came about, how it will fade, and the ledger it is the sum of. */
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { getScore, scoreKeys } from '@/api/queue';
import type { ModelScore, Score } from '@/api/queue';
import { useT } from '@/app/i18n';
import { useMe } from '@/app/session';
import { formatCount } from '@/ui/words/format';
import { Page, Panel } from '@/ui/page/Panel';
import { EmptyState, ErrorState, Skeleton } from '@/ui/page/States';
import { Ledger } from './Ledger';
import { Outlook } from './Outlook';
import { ScoreMeaning } from './ScoreMeaning';
import { useCourse } from './useCourse';
import { formatScore, modelName } from './words';
import ink from '@/ui/theme/ink.module.css';
import style from './Scores.module.css';

const ScoreChart = lazy(() => import('./ScoreChart'));
const route = getRouteApi('/app/scores/$user');
const REFRESH_MS = 30_000;

export function ScorePage() {
  const t = useT();
  const me = useMe();
  const { user } = route.useParams();
  const { model } = route.useSearch();
  const score = useQuery({ queryKey: scoreKeys.one(user), queryFn: ({ signal }) => getScore(user, signal), refetchInterval: REFRESH_MS });
  const scores = score.data?.scores ?? [];
  const chosen = scores.find((one) => one.model === model) ?? first(scores);
  const title = user === me.name ? t('score.mine') : t('score.of', { user });
  return (
    <Page title={title} {...(me.role === 'administrator' && { trail: [{ to: '/scores', label: t('nav.scores') }] })}>
      <ScoreMeaning scoreTime={score.data?.score_time} />
      {score.isPending && (
        <Panel>
          <Skeleton />
        </Panel>
      )}
      {score.isError && !score.data && (
        <Panel>
          <ErrorState error={score.error} retry={() => void score.refetch()} />
        </Panel>
      )}
      {score.data && !chosen && (
        <Panel>
          <EmptyState icon="score" title={t('score.none')}>
            {t('score.noneText')}
          </EmptyState>
        </Panel>
      )}
      {score.data && chosen && (
        <>
          <ModelCards user={user} scores={scores} chosen={chosen.model} />
          <OneModel key={chosen.model} score={score.data} of={chosen} />
        </>
      )}
    </Page>
  );
}

/** What matters most: what is held, else the highest score. */
function first(scores: ModelScore[]): ModelScore | undefined {
  return scores.toSorted((a, b) => Number(b.held > 0) - Number(a.held > 0) || b.score - a.score)[0];
}

function ModelCards({ user, scores, chosen }: { user: string; scores: ModelScore[]; chosen: string }) {
  const t = useT();
  return (
    <nav className={style.cards} aria-label={t('score.models')}>
      {scores.map(({ model, score, held }) => (
        <Link
          key={model}
          to="/scores/$user"
          params={{ user }}
          search={{ model }}
          replace
          className={style.card}
          aria-current={model === chosen ? 'true' : undefined}
        >
          <span className={ink.finer}>{modelName(model, t)}</span>
          <span className={style.cardScore}>{formatScore(score)}</span>
          <span className={ink.fine}>{t('score.held', { count: formatCount(held) })}</span>
        </Link>
      ))}
    </nav>
  );
}

function OneModel({ score, of }: { score: Score; of: ModelScore }) {
  const t = useT();
  const ledger = useCourse(score, of);
  const own = score.user === useMe().name;
  return (
    <>
      <Panel title={t('score.course', { model: modelName(of.model, t) })}>
        {ledger.course ? (
          <>
            <Suspense fallback={<Skeleton rows={6} />}>
              <ScoreChart course={ledger.course} own={own} />
            </Suspense>
            {ledger.course.differs && <p className={ink.fine}>{t('score.differs')}</p>}
            <Outlook course={ledger.course} own={own} />
          </>
        ) : (
          <Skeleton rows={6} />
        )}
      </Panel>
      <Ledger ledger={ledger} model={of.model} />
    </>
  );
}
