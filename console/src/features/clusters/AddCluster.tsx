/** Adding a cluster: how to sign in, where tasks run, and a look at it before anything is kept. */
import '@/ui/theme/kit-forms.css';
import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { useState } from 'react';
import { checkNewCluster, clusterKeys, createCluster } from '@/api/clusters';
import { nodeKeys } from '@/api/nodes';
import { useT } from '@/app/i18n';
import { mistakesIn } from '@/parts/mistakes';
import { useSave } from '@/parts/useSave';
import { Dialog } from '@/ui/dialog/Dialog';
import { FRESH, toSend } from './draft';
import type { Draft } from './draft';
import { KubeconfigField } from './KubeconfigField';
import { SettingsFields } from './SettingsFields';
import { lackOf, Trouble } from './Trouble';
import layout from '@/ui/page/layout.module.css';

export default function AddCluster({ onClose }: { onClose: () => void }) {
  const t = useT();
  const [draft, setDraft] = useState(FRESH);
  const check = useMutation({
    mutationFn: () => checkNewCluster({ ...toSend(draft), ...(draft.name.trim() && { name: draft.name.trim() }) }),
    onMutate: () => add.reset(),
  });
  const add = useSave({
    save: (force: boolean) => createCluster({ ...toSend(draft), name: draft.name.trim(), force }),
    close: onClose,
    said: ({ name }) => t('clusters.added', { name }),
    invalidate: [clusterKeys.all, nodeKeys.all],
  });
  // What was found holds for what was typed then.
  const change = (part: Partial<Draft>) => {
    setDraft((before) => ({ ...before, ...part }));
    check.reset();
    add.reset();
  };
  const error = add.error ?? check.error;
  const { mistakes } = mistakesIn(error);
  const lacks = lackOf(add.error) !== undefined || check.data?.ready === false;
  const signsIn = draft.inCluster || draft.kubeconfig.trim() !== '';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add.mutate(lacks);
  };
  return (
    <Dialog title={t('clusters.add')} onClose={onClose} size={640} sticky={add.isPending}>
      <form className={layout.form} onSubmit={submit}>
        <TextInput
          data-autofocus
          required
          withAsterisk={false}
          label={t('clusters.name')}
          description={t('clusters.nameHint')}
          maxLength={40}
          autoComplete="off"
          spellCheck={false}
          error={mistakes.name}
          value={draft.name}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
        <KubeconfigField draft={draft} mistakes={mistakes} onChange={change} />
        <SettingsFields draft={draft} mistakes={mistakes} onChange={change} />
        <Trouble report={check.data} error={error} />
        <div className={layout.foot}>
          <Button
            variant="default"
            disabled={!signsIn}
            loading={check.isPending}
            title={t('clusters.checkHint')}
            onClick={() => check.mutate()}
          >
            {t('clusters.check')}
          </Button>
          <span className={layout.spring} />
          <Button variant="default" onClick={onClose}>
            {t('action.cancel')}
          </Button>
          <Button type="submit" color={lacks ? 'red' : undefined} disabled={!signsIn} loading={add.isPending}>
            {t(lacks ? 'clusters.addAnyway' : 'clusters.add')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
