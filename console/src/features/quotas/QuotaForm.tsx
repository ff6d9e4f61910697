/** Sets a quota: of one, or the same of many. */
import { InputBase, SegmentedControl, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ruleKeys } from '@/api/rules/keys';
import { setQuota, setQuotas } from '@/api/rules/quotas';
import type { Quota } from '@/api/rules/quotas';
import { listed, useT } from '@/app/i18n';
import { amountOf, amountsOf, cellsOf, modelsIn, typed } from '@/parts/quotas/grid';
import type { Cells } from '@/parts/quotas/grid';
import { QuotaGrid } from '@/parts/quotas/QuotaGrid';
import { STORAGE_TYPES, storageName } from '@/parts/quotas/words';
import { useSave } from '@/parts/useSave';
import { FormDialog } from '@/ui/dialog/FormDialog';
import { whoseIs } from './words';
import type { Whose } from './words';
import ink from '@/ui/theme/ink.module.css';
import style from '@/ui/table/lists.module.css';

interface Props {
  /** The one that is changed. */
  quota?: Quota | undefined;
  /** Those that get the same. */
  names?: string[] | undefined;
  onClose: () => void;
}

/** The settings that hold where no quota says how much. */
const SETTINGS: Partial<Record<string, string>> = { local: 'personal_limit', results: 'results_total' };

/** Of these a mistake stands beside its field. */
const TOLD = /^(names|name|description|amounts\.\w+\..+|storage\.\w+)$/;

export default function QuotaForm({ quota, names, onClose }: Props) {
  const t = useT();
  const [kind, setKind] = useState<Whose>('user');
  const [whom, setWhom] = useState('');
  const [cells, setCells] = useState<Cells>(() => cellsOf(quota?.amounts ?? {}));
  const [storage, setStorage] = useState<Cells>(() =>
    Object.fromEntries(Object.entries(quota?.storage ?? {}).map(([type, size]) => [type, typed('memory', size)])),
  );
  const [description, setDescription] = useState(quota?.description ?? '');
  const targets = quota ? [quota.name] : (names ?? targetsOf(kind, whom));
  const save = useSave({
    save: async () => {
      const sizes = Object.fromEntries(
        Object.entries(storage)
          .filter(([, text]) => text?.trim())
          .map(([type, text]) => [type, amountOf('memory', text!)]),
      );
      const said = { amounts: amountsOf(cells), storage: sizes as Quota['storage'], description: description.trim() };
      await (targets.length === 1 ? setQuota(targets[0]!, said) : setQuotas({ names: targets, ...said }));
    },
    close: onClose,
    said: t('quotas.saved', { count: targets.length }),
    invalidate: [ruleKeys.all],
    fields: TOLD,
  });
  const { mistakes } = save;
  return (
    <FormDialog
      size={760}
      title={quota ? t('list.edit', { name: whoseIs(quota.name).whom || t('quotas.everybody') }) : t('quotas.set')}
      action={t('action.save')}
      busy={save.isPending}
      error={save.untold}
      disabled={targets.length === 0}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      {names && <p className={ink.fine}>{listed(names.map((name) => whoseIs(name).whom || t('quotas.everybody')))}</p>}
      {!quota && !names && (
        <>
          <SegmentedControl
            aria-label={t('quotas.whose')}
            data={[
              { value: 'user', label: t('quotas.persons') },
              { value: 'group', label: t('quotas.groups') },
              { value: 'default', label: t('quotas.everybody') },
            ]}
            value={kind}
            onChange={(value) => setKind(value as Whose)}
          />
          {kind !== 'default' && (
            <InputBase
              component="textarea"
              multiline
              size="xs"
              rows={2}
              data-autofocus
              label={t('quotas.names')}
              description={t('quotas.namesHint')}
              spellCheck={false}
              error={mistakes.names ?? mistakes.name}
              value={whom}
              onChange={(event) => setWhom(event.currentTarget.value)}
            />
          )}
        </>
      )}
      <p className={ink.fine}>{t('quotas.gridHint')}</p>
      <QuotaGrid
        label={t('quotas.amounts')}
        cells={cells}
        mistakes={mistakes}
        models={modelsIn(quota?.amounts ?? {})}
        onChange={setCells}
      />
      <div className={style.pair}>
        {STORAGE_TYPES.map((type) => (
          <TextInput
            key={type}
            label={storageName(type, t)}
            description={type in SETTINGS ? t('quota.settingHint', { setting: SETTINGS[type]! }) : t('quota.storageHint')}
            autoComplete="off"
            error={mistakes[`storage.${type}`]}
            value={storage[type] ?? ''}
            onChange={(event) => setStorage({ ...storage, [type]: event.currentTarget.value })}
          />
        ))}
      </div>
      <TextInput
        label={t('list.description')}
        maxLength={1000}
        error={mistakes.description}
        value={description}
        onChange={(event) => setDescription(event.currentTarget.value)}
      />
    </FormDialog>
  );
}

function targetsOf(kind: Whose, text: string): string[] {
  if (kind === 'default') return ['default'];
  return [...new Set(text.split(/[\s,;]+/).filter(Boolean))].map((name) => `${kind}:${name}`);
}
