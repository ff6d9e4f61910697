/** What bounds whom: four words that tell quotas, limits, caps and budgets apart, what bounds oneself, and for those who set them one
 * table of all that hold. */
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { limitKeys, listLimits } from '@/api/rules/limits';
import { listPriorities, priorityKeys } from '@/api/rules/priorities';
import { listProjects, projectKeys } from '@/api/rules/projects';
import { listQuotas, quotaKeys } from '@/api/rules/quotas';
import type { MessageKey } from '@/app/i18n';
import { useLocale, useT } from '@/app/i18n';
import { useLive } from '@/app/queries';
import { useMayEverywhere, useMe } from '@/app/session';
import { useTimeZone } from '@/app/time-zone';
import { QuotaView } from '@/parts/quotas/QuotaView';
import { useList } from '@/parts/useList';
import { Page, Panel } from '@/ui/page/Panel';
import { EmptyState, Skeleton } from '@/ui/page/States';
import { DataTable } from '@/ui/table/DataTable';
import type { Column } from '@/ui/table/DataTable';
import { useNow } from '@/ui/words/clock';
import { formatExact } from '@/ui/words/format';
import { rowsOf, SORTS } from './rows';
import type { Row, Sort } from './rows';
import ink from '@/ui/theme/ink.module.css';
import style from './Bounds.module.css';

const NAMES: Record<Sort, MessageKey> = { quota: 'bounds.quota', limit: 'bounds.limit', cap: 'bounds.cap', budget: 'bounds.budget' };
const MEANINGS: Record<Sort, MessageKey> = {
  quota: 'bounds.quotaText',
  limit: 'bounds.limitText',
  cap: 'bounds.capText',
  budget: 'bounds.budgetText',
};
const CONSEQUENCES: Record<Sort, MessageKey> = {
  quota: 'bounds.refused',
  limit: 'bounds.waits',
  cap: 'bounds.waits',
  budget: 'bounds.refused',
};
const PERMISSIONS: Record<Sort, string> = { quota: 'quota:write', limit: 'limit:write', cap: 'project:write', budget: 'priority:write' };
const FIRST = 500;

export function BoundsPage() {
  const t = useT();
  const me = useMe();
  useLive('rules');
  return (
    <Page title={t('nav.bounds')}>
      <dl className={style.sorts}>
        {SORTS.map((sort) => (
          <div key={sort} className={style.sort}>
            <dt>{t(NAMES[sort])}</dt>
            <dd>
              <p>{t(MEANINGS[sort])}</p>
              <p className={ink.quiet}>{t(CONSEQUENCES[sort])}</p>
              <Change sort={sort} />
            </dd>
          </div>
        ))}
      </dl>
      <Panel title={t('bounds.mine')}>{me.name && <QuotaView user={me.name} />}</Panel>
      {useMayEverywhere('quota:write') && <Everybodys />}
    </Page>
  );
}

/** All that is in force, for those who set it. */
function Everybodys() {
  const t = useT();
  const locale = useLocale();
  const zone = useTimeZone();
  const now = useNow(60_000);
  const quotas = useList([...quotaKeys.all, 'bounds'], async (signal) => (await listQuotas({ limit: FIRST }, signal)).items);
  const limits = useList(limitKeys.all, listLimits);
  const projects = useList(projectKeys.all, listProjects);
  const priorities = useList(priorityKeys.all, listPriorities);
  const rows = useMemo(() => {
    const clock = { now, write: (at: string) => formatExact(Date.parse(at), locale, zone) };
    return rowsOf({ quotas: quotas.rows, limits: limits.rows, projects: projects.rows, priorities: priorities.rows }, clock, t);
  }, [quotas.rows, limits.rows, projects.rows, priorities.rows, locale, zone, now, t]);
  const columns = useColumns();
  const pending = [quotas, limits, projects, priorities].some(({ status }) => status === 'pending');
  return (
    <Panel title={t('bounds.inForce')} flush>
      {pending && <Skeleton rows={4} />}
      {!pending && rows.length === 0 && (
        <EmptyState small icon="quotas" title={t('bounds.none')}>
          {t('bounds.noneText')}
        </EmptyState>
      )}
      {!pending && rows.length > 0 && <DataTable label={t('bounds.inForce')} columns={columns} rows={rows} rowKey={keyOf} />}
    </Panel>
  );
}

const keyOf = ({ key }: Row): string => key;

/** The page on which those of a sort are set, for those who may. */
function Change({ sort, project }: { sort: Sort; project?: string | undefined }) {
  const t = useT();
  const may = useMayEverywhere(PERMISSIONS[sort]);
  if (!may) return null;
  if (sort === 'quota') return <Link to="/quotas">{t('bounds.toQuotas')}</Link>;
  if (sort !== 'cap') return <Link to="/priorities">{t(sort === 'limit' ? 'bounds.toLimits' : 'bounds.toPriorities')}</Link>;
  if (project === undefined) return <Link to="/projects">{t('bounds.toProjects')}</Link>;
  return (
    <Link to="/projects/$project" params={{ project }}>
      {t('bounds.toProject')}
    </Link>
  );
}

function useColumns(): Column<Row>[] {
  const t = useT();
  return useMemo(
    () => [
      { id: 'whom', header: t('bounds.whom'), width: '26%', cell: ({ whom }) => whom },
      { id: 'sort', header: t('bounds.sort'), width: '96px', cell: ({ sort }) => t(NAMES[sort]) },
      { id: 'within', header: t('bounds.within'), width: '20%', hideBelow: 'phone', cell: ({ within }) => within },
      { id: 'amount', header: t('bounds.amount'), cell: ({ amount }) => <span title={amount}>{amount}</span> },
      {
        id: 'change',
        header: t('bounds.change'),
        width: '128px',
        hideBelow: 'tablet',
        cell: ({ sort, project }) => <Change sort={sort} project={project} />,
      },
    ],
    [t],
  );
}
