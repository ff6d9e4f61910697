/** The labels that administrators give a node; those it reports itself stand above, and can be overruled. */
import { ActionIcon, Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { labelNode, nodeKeys } from '@/api/nodes';
import type { Node } from '@/api/nodes';
import { useT } from '@/app/i18n';
import { useSave } from '@/parts/useSave';
import { FormDialog } from '@/ui/dialog/FormDialog';
import { Icon } from '@/ui/icons';
import { changesOf, mistakesIn, reportedBy, rowsOf } from './labels';
import { Labels } from '../one/NodeLabels';
import layout from '@/ui/page/layout.module.css';
import ink from '@/ui/theme/ink.module.css';
import style from './LabelsDialog.module.css';

export default function LabelsDialog({ node, onClose }: { node: Node; onClose: () => void }) {
  const t = useT();
  const [rows, setRows] = useState(() => rowsOf(node));
  const [next, setNext] = useState(rows.length);
  const save = useSave({
    save: () => labelNode(node.name, changesOf(node, rows)),
    close: onClose,
    said: t('nodes.labelled', { name: node.name }),
    invalidate: [nodeKeys.all],
  });
  const { at, elsewhere } = mistakesIn(save.error);
  const reported = reportedBy(node);
  const taken = (id: number, name: string) => name !== '' && rows.some((row) => row.id < id && row.name.trim() === name);
  const twice = rows.some(({ id, name }) => taken(id, name.trim()));
  const change = (id: number, part: { name?: string; value?: string }) =>
    setRows(rows.map((row) => (row.id === id ? { ...row, ...part } : row)));
  const add = () => {
    setRows([...rows, { id: next, name: '', value: '' }]);
    setNext(next + 1);
  };
  return (
    <FormDialog
      title={t('nodes.labelsOf', { name: node.name })}
      action={t('action.save')}
      busy={save.isPending}
      error={elsewhere}
      disabled={twice || Object.keys(changesOf(node, rows)).length === 0}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      {Object.keys(reported).length > 0 && (
        <div>
          <p className={style.title}>{t('nodes.reportedLabels')}</p>
          <Labels of={reported} />
        </div>
      )}
      <div className={layout.rows} role="group" aria-label={t('nodes.givenLabels')}>
        <p className={style.title}>{t('nodes.givenLabels')}</p>
        {rows.map(({ id, name, value }, place) => {
          const key = name.trim();
          return (
            <div key={id} className={style.row}>
              <TextInput
                aria-label={t('nodes.labelName', { place: place + 1 })}
                placeholder={t('form.name')}
                autoComplete="off"
                spellCheck={false}
                data-autofocus={key === '' || undefined}
                value={name}
                error={taken(id, key) ? t('form.twice', { name: key }) : at[key]}
                onChange={(event) => change(id, { name: event.currentTarget.value })}
              />
              <TextInput
                aria-label={t('nodes.labelValue', { place: place + 1 })}
                placeholder={t('form.value')}
                autoComplete="off"
                spellCheck={false}
                value={value}
                description={key in reported ? t('nodes.overrules') : undefined}
                inputWrapperOrder={['input', 'description']}
                onChange={(event) => change(id, { value: event.currentTarget.value })}
              />
              <ActionIcon
                aria-label={t('form.removeRow', { name: key || t('nodes.label') })}
                title={t('form.removeRow', { name: key || t('nodes.label') })}
                onClick={() => setRows(rows.filter((row) => row.id !== id))}
              >
                <Icon name="trash" size={14} />
              </ActionIcon>
            </div>
          );
        })}
        <div>
          <Button variant="default" size="compact-xs" leftSection={<Icon name="plus" size={12} />} onClick={add}>
            {t('nodes.addLabel')}
          </Button>
        </div>
      </div>
      <p className={ink.fine}>{t('nodes.labelsText')}</p>
    </FormDialog>
  );
}
