/** A flavor: new, or changed. */
import { Switch, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { listNodes, nodeKeys } from '@/api/nodes';
import { createFlavor, editFlavor } from '@/api/rules/flavors';
import type { Flavor } from '@/api/rules/flavors';
import { ruleKeys } from '@/api/rules/keys';
import type { MessageKey } from '@/app/i18n';
import { useT } from '@/app/i18n';
import { ClassChoice } from '@/parts/ClassChoice';
import { useSave } from '@/parts/useSave';
import { Suggested } from '@/ui/form/Suggested';
import { FormDialog } from '@/ui/dialog/FormDialog';
import { draftOf, FRESH, toSend } from './draft';
import type { Draft } from './draft';
import style from '@/ui/table/lists.module.css';

const PLACES: Record<TextKey, string> = {
  name: 'name',
  gpus: 'resources.gpus',
  gpu: 'resources.gpu',
  cpus: 'resources.cpus',
  memory: 'resources.memory',
  shm: 'resources.shm',
  description: 'description',
};
const FIELDS = Object.values(PLACES);

type TextKey = 'name' | 'gpus' | 'gpu' | 'cpus' | 'memory' | 'shm' | 'description';

export default function FlavorForm({ flavor, onClose }: { flavor: Flavor | undefined; onClose: () => void }) {
  const t = useT();
  const [draft, setDraft] = useState(() => (flavor ? draftOf(flavor) : FRESH));
  const nodes = useQuery({ queryKey: nodeKeys.all, queryFn: ({ signal }) => listNodes(signal) });
  const models = [...new Set(nodes.data?.flatMap(({ gpu_model: model }) => model ?? []))].toSorted();
  const save = useSave({
    save: () => {
      const { name, ...rest } = toSend(draft);
      return flavor ? editFlavor(flavor.name, rest) : createFlavor({ name, ...rest });
    },
    close: onClose,
    said: ({ name }) => t('list.saved', { name }),
    invalidate: [ruleKeys.all],
    fields: FIELDS,
  });
  const change = (part: Partial<Draft>) => {
    setDraft((old) => ({ ...old, ...part }));
    save.reset();
  };
  const { mistakes } = save;
  const text = (key: TextKey, label: MessageKey, hint?: MessageKey, more = {}) => (
    <TextInput
      label={t(label)}
      description={hint && t(hint)}
      error={mistakes[PLACES[key]]}
      autoComplete="off"
      spellCheck={false}
      value={draft[key]}
      onChange={(event) => change({ [key]: event.currentTarget.value })}
      {...more}
    />
  );
  return (
    <FormDialog
      title={flavor ? t('list.edit', { name: flavor.name }) : t('flavors.new')}
      action={t(flavor ? 'action.save' : 'flavors.create')}
      busy={save.isPending}
      error={save.untold}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      {!flavor &&
        text('name', 'jobs.name', 'list.nameRule', { 'data-autofocus': true, required: true, withAsterisk: false, maxLength: 63 })}
      <div className={style.pair}>
        {text('gpus', 'flavors.gpuCount', 'flavors.gpuCountHint', { inputMode: 'decimal', ...(flavor && { 'data-autofocus': true }) })}
        <Suggested
          label={t('flavors.gpuModel')}
          description={t('flavors.gpuModelHint')}
          names={models}
          error={mistakes[PLACES.gpu]}
          value={draft.gpu}
          onChange={(gpu) => change({ gpu })}
        />
      </div>
      <div className={style.pair}>
        {text('cpus', 'quota.cpus', undefined, { inputMode: 'decimal' })}
        {text('memory', 'quota.memory', 'flavors.sizeHint')}
        {text('shm', 'flavors.shm')}
      </div>
      <Switch
        label={t('flavors.rdma')}
        description={t('flavors.rdmaHint')}
        checked={draft.rdma}
        onChange={(event) => change({ rdma: event.currentTarget.checked })}
      />
      <ClassChoice label={t('flavors.classes')} chosen={draft.classes} onChange={(classes) => change({ classes })} />
      {text('description', 'list.description', undefined, { maxLength: 1000, spellCheck: true })}
    </FormDialog>
  );
}
