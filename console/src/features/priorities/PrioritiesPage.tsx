/** What goes first, and what bounds it: priority classes and limits. */
import { useT } from '@/app/i18n';
import { useLive } from '@/app/queries';
import { Page } from '@/ui/page/Panel';
import { LimitsPanel } from './LimitsPanel';
import { PrioritiesPanel } from './PrioritiesPanel';

export function PrioritiesPage() {
  const t = useT();
  useLive('rules');
  return (
    <Page title={t('priorities.title')}>
      <PrioritiesPanel />
      <LimitsPanel />
    </Page>
  );
}
