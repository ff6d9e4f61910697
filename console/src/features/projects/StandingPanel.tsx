/** How a project stands now: what it holds and waits for, beside what it deserves, is guaranteed and may have. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { getStanding, projectKeys } from '@/api/rules/projects';
import type { ShareAmount, Standing } from '@/api/rules/projects';
import { useT } from '@/app/i18n';
import type { Translate } from '@/app/i18n';
import { formatAmount, resourceName } from '@/parts/quotas/words';
import { Panel } from '@/ui/page/Panel';
import { ErrorState, Skeleton } from '@/ui/page/States';
import { Ago } from '@/ui/words/Time';
import { marksOf, scaleOf, sizeOf, toShow } from './standing';
import layout from '@/ui/page/layout.module.css';
import style from './Standing.module.css';

const REFRESH_MS = 15_000;

export function StandingPanel({ name }: { name: string }) {
  const t = useT();
  const standing = useQuery({
    queryKey: projectKeys.standing(name),
    queryFn: ({ signal }) => getStanding(name, signal),
    refetchInterval: REFRESH_MS,
  });
  return (
    <Panel
      title={t('projects.standing')}
      aside={
        standing.data && (
          <span className={style.quiet}>
            <Ago at={standing.data.at} />
          </span>
        )
      }
    >
      {standing.isPending && <Skeleton rows={5} />}
      {standing.isError && !standing.data && <ErrorState small error={standing.error} retry={() => void standing.refetch()} />}
      {standing.data && <Bars standing={standing.data} />}
    </Panel>
  );
}

function Bars({ standing: { project, weight, account, amounts, running, queued } }: { standing: Standing }) {
  const t = useT();
  const shown = toShow(amounts);
  return (
    <div className={layout.stack}>
      <p>
        {t('projects.jobsNow', { running, queued })}{' '}
        {account === project ? t('projects.ownShare', { weight: weight ?? 0 }) : t('projects.othersShare', { account })}
      </p>
      {shown.length === 0 && <p className={style.quiet}>{t('projects.nothingHeld')}</p>}
      <ul className={layout.stack}>
        {shown.map((one) => (
          <Bar key={one.resource} amount={one} t={t} />
        ))}
      </ul>
      <ul className={style.legend} aria-hidden="true">
        <li>
          <i data-part="held" />
          {t('projects.held')}
        </li>
        <li>
          <i data-part="queued" />
          {t('projects.queued')}
        </li>
        <li>
          <i data-mark="deserved" />
          {t('projects.deserved')}
        </li>
        <li>
          <i data-mark="guarantee" />
          {t('projects.guarantee')}
        </li>
        <li>
          <i data-mark="cap" />
          {t('projects.cap')}
        </li>
      </ul>
      <p className={style.quiet}>
        {t('projects.standingText')} <Link to="/queue">{t('projects.toQueue')}</Link>
      </p>
    </div>
  );
}

function Bar({ amount, t }: { amount: ShareAmount; t: Translate }) {
  const { resource, held, queued } = amount;
  const scale = scaleOf(amount);
  const say = (value: number) => formatAmount(resource, value);
  const marks = marksOf(amount);
  const words = { guarantee: 'projects.guaranteeOf', cap: 'projects.capOf', deserved: 'projects.deservedOf' } as const;
  const said = [
    t('projects.heldOf', { amount: say(held) }),
    ...(queued > 0 ? [t('projects.queuedOf', { amount: say(queued) })] : []),
    ...marks.map(([name, value]) => t(words[name], { amount: say(value) })),
  ].join(' · ');
  const name = resourceName(resource, t);
  return (
    <li className={style.row}>
      <strong>{name}</strong>
      <span className={style.bar} role="img" aria-label={`${name}: ${said}`} title={said}>
        <i data-part="held" style={{ width: sizeOf(held, scale) }} />
        <i data-part="queued" style={{ width: sizeOf(queued, scale) }} />
        {marks.map(([mark, value]) => (
          <b key={mark} data-mark={mark} style={{ left: sizeOf(value, scale) }} />
        ))}
      </span>
      <span className={style.figures} aria-hidden="true">
        {said}
      </span>
    </li>
  );
}
