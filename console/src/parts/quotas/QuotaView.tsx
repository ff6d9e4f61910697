/** What a person or a group may hold and holds: limits and use as bars, with where each limit comes from. */
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { getGroupQuota, getUserQuota, quotaKeys } from '@/api/rules/quotas';
import type { QuotaLine, QuotaUse } from '@/api/rules/quotas';
import type { MessageKey, Translate } from '@/app/i18n';
import { useT } from '@/app/i18n';
import { formatBytes, formatCount } from '@/ui/words/format';
import { EmptyState, ErrorState, Skeleton } from '@/ui/page/States';
import { Ago, Exact } from '@/ui/words/Time';
import { grouped } from './grouped';
import { byClass, byResource, className, formatAmount, resourceName, storageName } from './words';
import layout from '@/ui/page/layout.module.css';
import ink from '@/ui/theme/ink.module.css';
import style from './Quotas.module.css';

const SOURCES: Record<QuotaLine['source'], MessageKey> = {
  user: 'quota.fromUser',
  default: 'quota.fromDefault',
  group: 'quota.fromGroup',
  raise: 'quota.fromRaise',
};
/** It has little left, or nothing. */
const NEARLY = 0.8;

/** Of a person, with what holds for all of a group they are in; or of a group. */
export function QuotaView({ user, group }: { user?: string | undefined; group?: string | undefined }) {
  const t = useT();
  const name = user ?? group ?? '';
  const use = useQuery({
    queryKey: quotaKeys.use(user === undefined ? 'group' : 'user', name),
    queryFn: ({ signal }) => (user === undefined ? getGroupQuota(name, signal) : getUserQuota(name, signal)),
  });
  if (use.isPending) return <Skeleton rows={4} />;
  if (use.isError && !use.data) return <ErrorState small error={use.error} retry={() => void use.refetch()} />;
  const { items, storage, budgets, limits, caps } = use.data;
  if (items.length + storage.length + budgets.length + limits.length + caps.length === 0) {
    return (
      <EmptyState small icon="chart" title={t('quota.none')}>
        {t(user === undefined ? 'quota.noneTextGroup' : 'quota.noneText')}
      </EmptyState>
    );
  }
  return (
    <div className={`${layout.parts} ${style.view}`}>
      <Lines items={items} person={user} />
      {storage.length > 0 && <Storage storage={storage} />}
      {budgets.length > 0 && <Budgets budgets={budgets} />}
      {limits.length > 0 && <Limits limits={limits} />}
      {caps.length > 0 && <Caps caps={caps} />}
    </div>
  );
}

/** Those that hold for one person first, then each group's; in each by class. */
function Lines({ items, person }: { items: QuotaLine[]; person: string | undefined }) {
  const t = useT();
  const scopes = useMemo(() => grouped(items, ({ quota, source }) => (source === 'group' ? quota : '')), [items]);
  return scopes
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([scope, lines]) => (
      <section key={scope} className={layout.parts}>
        {scope !== '' && person !== undefined && (
          <p className={style.quiet}>{t('quota.together', { group: scope.replace(/^group:/, '') })}</p>
        )}
        {grouped(lines, (line) => line.class)
          .toSorted(([a], [b]) => byClass(a, b))
          .map(([jobClass, of]) => (
            <div key={jobClass} className={style.class}>
              <h3 className={ink.heading}>{className(jobClass, t)}</h3>
              <ul className={style.bars}>
                {of
                  .toSorted((a, b) => byResource(a.resource, b.resource))
                  .map((line) => (
                    <Bar
                      key={line.resource}
                      label={resourceName(line.resource, t)}
                      used={line.used}
                      limit={line.limit}
                      format={(amount) => formatAmount(line.resource, amount)}
                      note={<Source line={line} t={t} />}
                    />
                  ))}
              </ul>
            </div>
          ))}
      </section>
    ));
}

function Source({ line: { source, until }, t }: { line: QuotaLine; t: Translate }) {
  if (source !== 'raise') return t(SOURCES[source]);
  return (
    <span className={style.raised}>
      {t('quota.fromRaise')}
      {until && (
        <>
          , {t('quota.until')} <Exact at={until} />
        </>
      )}
    </span>
  );
}

function Storage({ storage }: Pick<QuotaUse, 'storage'>) {
  const t = useT();
  return (
    <div className={style.class}>
      <h3 className={ink.heading}>{t('quota.storage')}</h3>
      <ul className={style.bars}>
        {storage.map(({ type, limit, used, counted_at: at }) => (
          <Bar
            key={type}
            label={storageName(type, t)}
            used={used}
            limit={limit}
            format={formatBytes}
            note={at && <Ago at={at} said="quota.counted" />}
          />
        ))}
      </ul>
    </div>
  );
}

function Budgets({ budgets }: Pick<QuotaUse, 'budgets'>) {
  const t = useT();
  const hours = (amount: number) => t('quota.gpuHours', { count: formatCount(amount) });
  return (
    <div className={style.class}>
      <h3 className={ink.heading}>{t('quota.budgets')}</h3>
      <ul className={style.bars}>
        {budgets.map(({ priority, budget, spent, since }) => (
          <Bar
            key={priority}
            label={priority}
            used={spent}
            limit={budget}
            format={hours}
            note={
              <>
                {t('quota.since')} <Exact at={since} />
              </>
            }
          />
        ))}
      </ul>
    </div>
  );
}

function Limits({ limits }: Pick<QuotaUse, 'limits'>) {
  const t = useT();
  return (
    <div className={style.class}>
      <h3 className={ink.heading}>{t('quota.limits')}</h3>
      <ul className={style.bars}>
        {limits.map(({ name, shared, project, class: jobClass, gpus, used, max_time: time }) => (
          <Bar
            key={`${name} ${project}`}
            label={name}
            used={used}
            limit={gpus}
            format={(amount) => `${formatCount(amount)} ${resourceName('gpus', t)}`}
            words={gpus === null ? t('quota.perJob', { time: time ?? '' }) : undefined}
            note={[
              gpus !== null && time !== null && t('quota.perJob', { time }),
              jobClass && className(jobClass, t),
              project,
              shared && t('quota.shared'),
            ]
              .filter(Boolean)
              .join(' · ')}
          />
        ))}
      </ul>
    </div>
  );
}

function Caps({ caps }: Pick<QuotaUse, 'caps'>) {
  const t = useT();
  return (
    <div className={style.class}>
      <h3 className={ink.heading}>{t('quota.caps')}</h3>
      <ul className={style.bars}>
        {caps.map(({ project, resource, limit, used }) => (
          <Bar
            key={`${project} ${resource}`}
            label={project}
            used={used}
            limit={limit}
            format={(amount) => formatAmount(resource, amount)}
            note={resourceName(resource, t)}
          />
        ))}
      </ul>
    </div>
  );
}

interface BarProps {
  label: string;
  used: number;
  limit: number | null;
  format: (amount: number) => string;
  /** Instead of the numbers. */
  words?: string | undefined;
  note?: React.ReactNode;
}

function Bar({ label, used, limit, format, words: said, note }: BarProps) {
  const t = useT();
  const part = limit === null ? 0 : limit > 0 ? Math.min(1, used / limit) : 1;
  const words =
    said ??
    (limit === null
      ? t('quota.unlimited', { used: format(used) })
      : t('quota.usedOf', { used: format(used), limit: format(limit), left: format(Math.max(0, limit - used)) }));
  return (
    <li className={style.row}>
      <strong>{label}</strong>
      <span
        className={style.bar}
        data-full={(limit !== null && used >= limit) || undefined}
        data-nearly={part >= NEARLY || undefined}
        aria-hidden="true"
      >
        <i style={{ width: `${part * 100}%` }} />
      </span>
      <span>{words}</span>
      {note && <span className={style.quiet}>{note}</span>}
    </li>
  );
}
