/** What is free now, by GPU model: a bar, the largest block on one node, what is wanted, what is mine. */
import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ModelAmount, Resources } from '@/api/resources';
import { useT } from '@/app/i18n';
import { formatCount } from '@/ui/words/format';
import { Icon } from '@/ui/icons';
import { EmptyState } from '@/ui/page/States';
import { Ago } from '@/ui/words/Time';
import { partsOf } from './amounts';
import { Section } from './Section';
import ink from '@/ui/theme/ink.module.css';
import style from './FreeNow.module.css';

export function FreeNow({ resources }: { resources: UseQueryResult<Resources> }) {
  const t = useT();
  const at = resources.data?.at;
  const age = at && (
    <span className={ink.fine}>
      <Ago at={at} said="overview.asOf" />
    </span>
  );
  return (
    <Section title={t('overview.free')} aside={age} query={resources} rows={4}>
      {({ gpus }) => (
        <>
          {gpus.length > 0 ? (
            <ul>
              {gpus.map((model) => (
                <Model key={model.model} model={model} />
              ))}
            </ul>
          ) : (
            <EmptyState small icon="nodes" title={t('overview.noGpus')} action={<Link to="/nodes">{t('overview.toNodes')}</Link>}>
              {t('overview.noGpusText')}
            </EmptyState>
          )}
          {gpus.length > 0 && (
            <div className={style.others}>
              <Legend />
            </div>
          )}
        </>
      )}
    </Section>
  );
}

function Model({ model }: { model: ModelAmount }) {
  const t = useT();
  const { free, total, largest_free: block, nodes, closed, queued, shortage, mine_used: mine, mine_queued: mineQueued } = model;
  const { mineShare, othersShare } = partsOf(model);
  const words = t('overview.barWords', { model: model.model, free: formatCount(free), total: formatCount(total), mine: formatCount(mine) });
  return (
    <li className={style.model}>
      <div className={style.modelName}>
        <Link to="/nodes" search={{ model: model.model }}>
          {model.model}
        </Link>
        <span className={ink.fine}>{t('overview.nodes', { count: nodes })}</span>
      </div>
      <div className={style.freeCount} data-none={free === 0 || undefined}>
        <strong>{formatCount(free)}</strong> {t('overview.freeOf', { total: formatCount(total) })}
      </div>
      <div className={style.amounts}>
        <div className={style.bar} role="img" aria-label={words}>
          <span className={style.mine} style={{ width: `${mineShare * 100}%` }} />
          <span className={style.taken} style={{ width: `${othersShare * 100}%` }} />
        </div>
        <ul className={style.notes}>
          {mine > 0 && <li>{t('overview.mine', { count: formatCount(mine) })}</li>}
          {free > 0 && <li>{t('overview.block', { count: formatCount(block) })}</li>}
          {closed > 0 && <li>{t('overview.closed', { count: formatCount(closed) })}</li>}
          {queued > 0 && (
            <li>
              {mineQueued > 0
                ? t('overview.queuedMine', { count: formatCount(queued), mine: formatCount(mineQueued) })
                : t('overview.queued', { count: formatCount(queued) })}
            </li>
          )}
          {shortage > 0 && (
            <li className={style.short}>
              <Icon name="warning" size={12} />
              {t('overview.shortageGpus', { count: formatCount(shortage) })}
            </li>
          )}
        </ul>
      </div>
    </li>
  );
}

function Legend() {
  const t = useT();
  return (
    <ul className={style.legend} aria-label={t('overview.legend')}>
      <li>
        <i className={style.mine} />
        {t('overview.legendMine')}
      </li>
      <li>
        <i className={style.taken} />
        {t('overview.legendOthers')}
      </li>
      <li>
        <i className={style.bar} />
        {t('overview.legendFree')}
      </li>
    </ul>
  );
}
