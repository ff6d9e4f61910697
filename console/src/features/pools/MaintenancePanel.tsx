/** Maintenance windows: planned, changed, cancelled. */
import { lazy, useMemo } from 'react';
import { cancelMaintenance, listMaintenance, maintenanceKeys } from '@/api/rules/maintenance';
import type { Maintenance } from '@/api/rules/maintenance';
import type { MessageKey } from '@/app/i18n';
import { listed, useT } from '@/app/i18n';
import { useMayEverywhere } from '@/app/session';
import { RulePanel } from '@/parts/RulePanel';
import { useList } from '@/parts/useList';
import type { Column } from '@/ui/table/DataTable';
import { EmptyState } from '@/ui/page/States';
import { Exact } from '@/ui/words/Time';
import ink from '@/ui/theme/ink.module.css';
import style from '@/ui/table/lists.module.css';

const MaintenanceForm = lazy(() => import('@/parts/machines/MaintenanceForm'));

const STATES: Record<Maintenance['state'], { word: MessageKey; tone?: string }> = {
  planned: { word: 'maintenance.planned' },
  now: { word: 'maintenance.now', tone: 'amber' },
  past: { word: 'maintenance.past' },
};

const isToCome = ({ state }: Maintenance) => state !== 'past';

export function MaintenancePanel() {
  const t = useT();
  const windows = useList(maintenanceKeys.all, listMaintenance);
  return (
    <RulePanel
      title={t('maintenance.title')}
      list={windows}
      columns={useColumns()}
      none={
        <EmptyState small icon="calendar" title={t('maintenance.none')}>
          {t('maintenance.noneText')}
        </EmptyState>
      }
      mayWrite={useMayEverywhere('node:write')}
      add={{ label: t('maintenance.plan'), icon: 'calendar' }}
      form={(window, close) => <MaintenanceForm window={window} onClose={close} />}
      removal={{ text: t('maintenance.cancelText'), remove: cancelMaintenance }}
      changeable={isToCome}
    />
  );
}

function useColumns(): Column<Maintenance>[] {
  const t = useT();
  return useMemo(
    () => [
      {
        id: 'name',
        header: t('jobs.name'),
        width: '16%',
        cell: ({ name }) => (
          <span className={style.name} title={name}>
            {name}
          </span>
        ),
      },
      {
        id: 'state',
        header: t('maintenance.state'),
        width: '104px',
        hideBelow: 'phone',
        cell: ({ state }) => (
          <span className={style.tag} data-tone={STATES[state].tone}>
            {t(STATES[state].word)}
          </span>
        ),
      },
      { id: 'start', header: t('maintenance.start'), width: '212px', cell: ({ start }) => <Exact at={start} /> },
      { id: 'end', header: t('maintenance.end'), width: '212px', hideBelow: 'tablet', cell: ({ end }) => <Exact at={end} /> },
      { id: 'where', header: t('maintenance.whereAndWhy'), hideBelow: 'phone', cell: (window) => <Where window={window} /> },
    ],
    [t],
  );
}

function Where({ window: { pool, nodes, description } }: { window: Maintenance }) {
  const t = useT();
  const where = pool ? t('nodes.inPool', { pool }) : listed(nodes);
  const words = [where, description].filter(Boolean).join(' — ');
  return (
    <span className={style.twoLines} title={words}>
      {where}
      {description && <span className={ink.quiet}> — {description}</span>}
    </span>
  );
}
