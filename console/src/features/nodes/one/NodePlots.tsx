/** What a node was measured to use: CPUs, memory, GPUs and network over a window of time. */
import '@/ui/theme/kit-forms.css';
import { SegmentedControl } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { CatchBoundary } from '@tanstack/react-router';
import { lazy, Suspense, useMemo } from 'react';
import type { Node } from '@/api/nodes';
import { getNodeUsage, usageKeys } from '@/api/usage';
import type { NodeUsage } from '@/api/usage';
import type { MessageKey } from '@/app/i18n';
import { useT } from '@/app/i18n';
import { Panel } from '@/ui/page/Panel';
import { EmptyState, ErrorState, Skeleton } from '@/ui/page/States';
import { chartsOf, tasksMeasured } from './plots';
import { WINDOWS } from '../search';
import type { Window } from '../search';
import layout from '@/ui/page/layout.module.css';
import style from '../NodePage.module.css';

const LiveChart = lazy(() => import('@/ui/chart/LiveChart'));

const WINDOW_WORDS: Record<Window, MessageKey> = {
  '15m': 'nodes.window15m',
  '1h': 'nodes.window1h',
  '6h': 'nodes.window6h',
  '1d': 'nodes.window1d',
  '7d': 'nodes.window7d',
};
const POINTS = 240;
/** New points come that often in the shortest window; a longer one changes less. */
const REFRESH_MS: Record<Window, number> = { '15m': 5000, '1h': 15_000, '6h': 60_000, '1d': 120_000, '7d': 300_000 };

interface Props {
  node: Node;
  window: Window;
  onWindow: (window: Window) => void;
}

export function NodePlots({ node, window, onWindow }: Props) {
  const t = useT();
  const query = { window, points: POINTS };
  const usage = useQuery({
    queryKey: usageKeys.node(node.name, query),
    queryFn: ({ signal }) => getNodeUsage(node.name, query, signal),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS[window],
  });
  const choice = (
    <SegmentedControl
      aria-label={t('nodes.window')}
      data={WINDOWS.map((value) => ({ value, label: t(WINDOW_WORDS[value]) }))}
      value={window}
      onChange={(value) => onWindow(value as Window)}
    />
  );
  return (
    <Panel title={t('nodes.use')} aside={choice}>
      {usage.isPending && <Skeleton rows={6} />}
      {usage.isError && !usage.data && <ErrorState small error={usage.error} retry={() => void usage.refetch()} />}
      {usage.data && (
        // The drawing itself is fetched too; where that fails, the rest of the page stays.
        <CatchBoundary getResetKey={() => window} errorComponent={({ error, reset }) => <ErrorState small error={error} retry={reset} />}>
          <Charts usage={usage.data} stale={usage.isPlaceholderData} />
        </CatchBoundary>
      )}
    </Panel>
  );
}

function Charts({ usage, stale }: { usage: NodeUsage; stale: boolean }) {
  const t = useT();
  const charts = useMemo(() => chartsOf(usage, t), [usage, t]);
  return (
    <>
      {!tasksMeasured(usage) && (
        <EmptyState small icon="chart" title={t('nodes.notMeasured')}>
          {t('nodes.notMeasuredText')}
        </EmptyState>
      )}
      {charts.length > 0 && (
        <Suspense fallback={<Skeleton rows={6} />}>
          <div className={style.charts} data-dimmed={stale || undefined}>
            {charts.map((chart) => (
              <div key={chart.label} className={layout.shrinks}>
                <h3 className={style.chartTitle}>{chart.label}</h3>
                <LiveChart {...chart} height={160} sync={usage.node} />
              </div>
            ))}
          </div>
        </Suspense>
      )}
    </>
  );
}
