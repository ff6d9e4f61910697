/** What administrators do with a cluster. */
import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import type { Cluster } from '@/api/clusters';
import { useT } from '@/app/i18n';
import { Icon } from '@/ui/icons';

const EditCluster = lazy(() => import('./EditCluster'));
const RemoveCluster = lazy(() => import('./RemoveCluster'));

export function ClusterActions({ cluster }: { cluster: Cluster }) {
  const t = useT();
  const [open, setOpen] = useState<'edit' | 'remove' | null>(null);
  const close = () => setOpen(null);
  return (
    <>
      <Button variant="default" leftSection={<Icon name="edit" />} onClick={() => setOpen('edit')}>
        {t('clusters.change')}
      </Button>
      <Button variant="default" leftSection={<Icon name="trash" />} onClick={() => setOpen('remove')}>
        {t('clusters.remove')}
      </Button>
      <Suspense fallback={null}>
        {open === 'edit' && <EditCluster cluster={cluster} onClose={close} />}
        {open === 'remove' && <RemoveCluster cluster={cluster} onClose={close} />}
      </Suspense>
    </>
  );
}
