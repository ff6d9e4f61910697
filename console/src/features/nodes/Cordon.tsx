/** Takes a node out of service for new work, or back; for those who may. */
import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { keys } from '@/api/keys';
import { cordonNode } from '@/api/nodes';
import type { Node } from '@/api/types';
import { useT } from '@/app/i18n';
import { notify } from '@/app/notify';
import { useMay } from '@/app/session';
import { Icon } from '@/ui/icons';
import { errorText } from '@/ui/States';
import { inService } from './capacity';

const CordonDialog = lazy(() => import('./CordonDialog'));

export function Cordon({ node }: { node: Node }) {
  const t = useT();
  const may = useMay('node:write');
  const client = useQueryClient();
  const [asking, setAsking] = useState(false);
  const change = useMutation({
    mutationFn: (cordoned: boolean) => cordonNode(node.name, cordoned),
    onSuccess: async (now, cordoned) => {
      setAsking(false);
      client.setQueryData(keys.nodeDetail(node.name), now);
      notify({ message: t(cordoned ? 'nodes.cordonDone' : 'nodes.uncordonDone', { name: node.name }) });
      await Promise.all([keys.nodes, keys.resources].map((queryKey) => client.invalidateQueries({ queryKey })));
    },
    onError: (error) => {
      setAsking(false);
      notify({ bad: true, title: t('nodes.cordonFailed', { name: node.name }), message: errorText(error, t) });
    },
  });
  if (!may) return null;
  if (node.state === 'cordoned') {
    return (
      <Button variant="default" leftSection={<Icon name="play" />} loading={change.isPending} onClick={() => change.mutate(false)}>
        {t('nodes.uncordon')}
      </Button>
    );
  }
  if (!inService(node)) return null;
  return (
    <>
      <Button variant="default" leftSection={<Icon name="cordoned" />} onClick={() => setAsking(true)}>{t('nodes.cordon')}</Button>
      <Suspense fallback={null}>
        {asking && <CordonDialog node={node} busy={change.isPending} onCancel={() => setAsking(false)} onConfirm={() => change.mutate(true)} />}
      </Suspense>
    </>
  );
}
