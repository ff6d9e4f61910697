/** Limits: how many GPUs at once, and for how long. */
import { lazy, useMemo } from 'react';
import { limitKeys, listLimits, removeLimit } from '@/api/rules/limits';
import type { Limit } from '@/api/rules/limits';
import type { MessageKey, Translate } from '@/app/i18n';
import { useT } from '@/app/i18n';
import { useMayEverywhere } from '@/app/session';
import { className } from '@/parts/quotas/words';
import { RulePanel } from '@/parts/RulePanel';
import { useList } from '@/parts/useList';
import type { Column } from '@/ui/table/DataTable';
import { formatCount } from '@/ui/words/format';
import { EmptyState } from '@/ui/page/States';
import style from '@/ui/table/lists.module.css';

const LimitForm = lazy(() => import('./LimitForm'));

export function LimitsPanel() {
  const t = useT();
  const limits = useList(limitKeys.all, listLimits);
  return (
    <RulePanel
      title={t('limits.title')}
      list={limits}
      columns={useColumns()}
      none={
        <EmptyState small icon="clock" title={t('limits.none')}>
          {t('limits.noneText')}
        </EmptyState>
      }
      mayWrite={useMayEverywhere('limit:write')}
      add={{ label: t('limits.new') }}
      form={(limit, close) => <LimitForm limit={limit} onClose={close} />}
      removal={{ text: t('limits.removeText'), remove: removeLimit }}
    />
  );
}

function useColumns(): Column<Limit>[] {
  const t = useT();
  return useMemo(
    () => [
      {
        id: 'name',
        header: t('jobs.name'),
        width: '18%',
        cell: ({ name }) => (
          <span className={style.name} title={name}>
            {name}
          </span>
        ),
      },
      { id: 'user', header: t('limits.user'), cell: ({ user }) => whom(user, 'limits.eachUser', 'limits.allUsers', t) },
      {
        id: 'project',
        header: t('limits.project'),
        hideBelow: 'phone',
        cell: ({ project }) => whom(project, 'limits.eachProject', 'limits.allProjects', t),
      },
      {
        id: 'class',
        header: t('quota.class'),
        width: '132px',
        hideBelow: 'phone',
        cell: (limit) => (limit.class ? className(limit.class, t) : t('class.all')),
      },
      {
        id: 'gpus',
        header: t('limits.gpus'),
        width: '132px',
        align: 'right',
        cell: ({ gpus }) => (gpus === null ? '–' : formatCount(gpus)),
      },
      { id: 'time', header: t('limits.time'), width: '112px', align: 'right', cell: ({ max_time: time }) => time ?? '–' },
    ],
    [t],
  );
}

/** `*` is each by itself, nothing all together. */
function whom(name: string | null, each: MessageKey, all: MessageKey, t: Translate): string {
  return name === null ? t(all) : name === '*' ? t(each) : name;
}
