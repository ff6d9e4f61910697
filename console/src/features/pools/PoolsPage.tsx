/** The pools that nodes are divided into, and when nodes are to be left alone. */
import { Page } from '@/ui/page/Panel';
import { useT } from '@/app/i18n';
import { useLive } from '@/app/queries';
import { MaintenancePanel } from './MaintenancePanel';
import { PoolsPanel } from './PoolsPanel';

export function PoolsPage() {
  const t = useT();
  useLive('rules');
  useLive('nodes');
  return (
    <Page title={t('pools.title')}>
      <PoolsPanel />
      <MaintenancePanel />
    </Page>
  );
}
