/** Asks before a cluster is removed, and says what still uses it. */
import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { deleteCluster } from '@/api/clusters';
import { keys } from '@/api/keys';
import { ApiError } from '@/api/problem';
import type { Cluster } from '@/api/types';
import { useT } from '@/app/i18n';
import { notify } from '@/app/notify';
import { Dialog } from '@/ui/dialog/Dialog';
import { Notice } from '@/ui/page/Panel';
import { errorText } from '@/ui/page/States';
import style from './Clusters.module.css';

export default function RemoveCluster({ cluster: { name, nodes, tasks }, onClose }: { cluster: Cluster; onClose: () => void }) {
  const t = useT();
  const client = useQueryClient();
  const navigate = useNavigate();
  const remove = useMutation({
    mutationFn: (force: boolean) => deleteCluster(name, force),
    onSuccess: async () => {
      notify({ message: t('clusters.removed', { name }) });
      await navigate({ to: '/clusters' });
      client.removeQueries({ queryKey: keys.clusterDetail(name) });
      await Promise.all([keys.clusters, keys.nodes].map((queryKey) => client.invalidateQueries({ queryKey })));
    },
  });
  const used = remove.error instanceof ApiError && remove.error.status === 409;
  return (
    <Dialog title={t('clusters.removeTitle', { name })} onClose={onClose}>
      <p>{t('clusters.removeText')}</p>
      <p className={style.affected}>{t('nodes.count', { count: nodes.total })} · {t('clusters.tasks', { count: tasks })}</p>
      {remove.error && (
        <Notice tone="red" icon="warning" title={used ? t('clusters.removeFailed') : errorText(remove.error, t)} role="alert">
          {used && <><p>{errorText(remove.error, t)}</p><p>{t('clusters.removeForce')}</p></>}
        </Notice>
      )}
      <div className={style.dialogActions}>
        <Button variant="default" onClick={onClose}>{t('action.cancel')}</Button>
        <Button color="red" data-autofocus loading={remove.isPending} onClick={() => remove.mutate(used)}>{t(used ? 'clusters.removeAnyway' : 'clusters.remove')}</Button>
      </div>
    </Dialog>
  );
}
