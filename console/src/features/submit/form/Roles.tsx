/** Named groups of tasks that differ: how many, what they run, how large they are. */
import { ActionIcon, Button } from '@mantine/core';
import { useRef } from 'react';
import { useT } from '@/app/i18n';
import { Icon } from '@/ui/icons';
import { entriesAt, rolesOf, textAt } from '../reading';
import { writeNumber } from '@/parts/quantities';
import { fieldId, useForm, useMistake } from './context';
import { Fold } from './Fold';
import { TextField } from './fields';
import { Rows } from './Rows';
import { Command, namesInShort } from './Run';
import { SizeFields } from './SizeFields';
import style from './Form.module.css';

export function Roles() {
  const t = useT();
  const { file, apply } = useForm();
  const roles = rolesOf(file);
  const error = useMistake(['roles']);
  const adder = useRef<HTMLButtonElement>(null);
  const add = () => {
    const names = new Set(roles.map((role) => textAt(role, ['name'])));
    const name = ['worker', 'ps', 'evaluator', 'reader'].find((each) => !names.has(each)) ?? `role-${roles.length + 1}`;
    apply([{ path: ['roles', roles.length], value: { name, replicas: 1 } }]);
  };
  return (
    <div className={style.stack} id={fieldId(['roles'])}>
      {/* oxlint-disable-next-line react/no-array-index-key -- a role keeps the caret while its name is typed */}
      {roles.map((role, place) => <Role key={place} place={place} name={textAt(role, ['name'])} only={roles.length === 1} onRemoved={() => adder.current?.focus()} />)}
      {error && <p className={style.error}>{error}</p>}
      <div>
        <Button ref={adder} variant="default" size="compact-xs" leftSection={<Icon name="plus" size={12} />} onClick={add}>{t('role.add')}</Button>
      </div>
    </div>
  );
}

interface RoleProps {
  place: number;
  name: string;
  only: boolean;
  /** The focus needs another place. */
  onRemoved: () => void;
}

function Role({ place, name, only, onRemoved }: RoleProps) {
  const t = useT();
  const { file, apply } = useForm();
  const at = (key: string) => ['roles', place, key];
  const title = name || t('role.unnamed', { place: place + 1 });
  return (
    <div className={style.card} role="group" aria-label={t('role.title', { name: title })}>
      <div className={style.cardHead}>
        <h3 className={style.cardTitle}>{t('role.title', { name: title })}</h3>
        {!only && (
          <ActionIcon aria-label={t('role.remove', { name: title })} title={t('role.remove', { name: title })} onClick={() => (apply([{ path: ['roles', place] }]), onRemoved())}>
            <Icon name="trash" size={14} />
          </ActionIcon>
        )}
      </div>
      <div className={style.triple}>
        <TextField path={at('name')} label={t('form.name')} mono required keep />
        <TextField path={at('replicas')} label={t('role.replicas')} placeholder="1" write={writeNumber} numeric />
        <TextField path={at('min')} label={t('role.min')} placeholder={textAt(file, at('replicas')) || '1'} write={writeNumber} numeric />
      </div>
      <Command path={at('command')} />
      <SizeFields base={['roles', place]} role={title} />
      <Fold title={t('form.env')} summary={namesInShort(entriesAt(file, at('env')), t)} paths={[at('env')]}>
        <p className={style.help}>{t('role.envHelp')}</p>
        <Rows path={at('env')} noun={t('form.variable')} add={t('form.addVariable')} />
      </Fold>
    </div>
  );
}
