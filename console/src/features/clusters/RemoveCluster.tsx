/** Asks before a cluster is removed, and says what still uses it. */
import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { clusterKeys, deleteCluster } from '@/api/clusters';
import type { Cluster } from '@/api/clusters';
import { nodeKeys } from '@/api/nodes';
import { ApiError } from '@/api/problem';
import { useT } from '@/app/i18n';
import { useSave } from '@/parts/useSave';
import { Dialog } from '@/ui/dialog/Dialog';
import { Notice } from '@/ui/page/Panel';
import { errorText } from '@/ui/page/States';
import layout from '@/ui/page/layout.module.css';
import style from './Clusters.module.css';

export default function RemoveCluster({ cluster: { name, nodes, tasks }, onClose }: { cluster: Cluster; onClose: () => void }) {
  const t = useT();
  const navigate = useNavigate();
  const remove = useSave({
    save: (force: boolean) => deleteCluster(name, force),
    said: t('clusters.removed', { name }),
    gone: { forget: clusterKeys.one(name), leave: () => navigate({ to: '/clusters' }) },
    invalidate: [clusterKeys.all, nodeKeys.all],
  });
  const used = remove.error instanceof ApiError && remove.error.status === 409;
  return (
    <Dialog title={t('clusters.removeTitle', { name })} onClose={onClose}>
      <p>{t('clusters.removeText')}</p>
      <p className={style.affected}>
        {t('nodes.count', { count: nodes.total })} · {t('clusters.tasks', { count: tasks })}
      </p>
      {remove.error && (
        <Notice tone="red" icon="warning" title={used ? t('clusters.removeFailed') : errorText(remove.error, t)} role="alert">
          {used && (
            <>
              <p>{errorText(remove.error, t)}</p>
              <p>{t('clusters.removeForce')}</p>
            </>
          )}
        </Notice>
      )}
      <div className={layout.ends}>
        <Button variant="default" onClick={onClose}>
          {t('action.cancel')}
        </Button>
        <Button color="red" data-autofocus loading={remove.isPending} onClick={() => remove.mutate(used)}>
          {t(used ? 'clusters.removeAnyway' : 'clusters.remove')}
        </Button>
      </div>
    </Dialog>
  );
}
