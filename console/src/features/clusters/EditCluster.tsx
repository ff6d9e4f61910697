/** Changing how Danlu uses a cluster, or how it signs in there. */
import '@/ui/theme/kit-forms.css';
import { Button } from '@mantine/core';
import type { FormEvent } from 'react';
import { useState } from 'react';
import { clusterKeys, editCluster } from '@/api/clusters';
import type { Cluster } from '@/api/clusters';
import { useT } from '@/app/i18n';
import { useSave } from '@/parts/useSave';
import { Dialog } from '@/ui/dialog/Dialog';
import { draftOf, toSend } from './draft';
import type { Draft } from './draft';
import { KubeconfigField } from './KubeconfigField';
import { SettingsFields } from './SettingsFields';
import { lackOf, Trouble } from './Trouble';
import layout from '@/ui/page/layout.module.css';

export default function EditCluster({ cluster, onClose }: { cluster: Cluster; onClose: () => void }) {
  const t = useT();
  const [before] = useState(() => draftOf(cluster));
  const [draft, setDraft] = useState(before);
  const edit = useSave({
    save: (force: boolean) => editCluster(cluster.name, { ...toSend(draft, before), force }),
    close: onClose,
    said: t('clusters.changed', { name: cluster.name }),
    invalidate: [clusterKeys.all],
  });
  const change = (part: Partial<Draft>) => {
    setDraft((old) => ({ ...old, ...part }));
    edit.reset();
  };
  const { mistakes } = edit;
  const lacks = lackOf(edit.error) !== undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    edit.mutate(lacks);
  };
  return (
    <Dialog title={t('clusters.changeTitle', { name: cluster.name })} onClose={onClose} size={640} sticky={edit.isPending}>
      <form className={layout.form} onSubmit={submit}>
        <SettingsFields draft={draft} mistakes={mistakes} onChange={change} />
        <KubeconfigField kept draft={draft} mistakes={mistakes} onChange={change} />
        <Trouble report={undefined} error={edit.error} />
        <div className={layout.foot}>
          <Button variant="default" onClick={onClose}>
            {t('action.cancel')}
          </Button>
          <Button type="submit" color={lacks ? 'red' : undefined} loading={edit.isPending}>
            {t(lacks ? 'clusters.changeAnyway' : 'clusters.save')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
