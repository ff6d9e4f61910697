/** Named groups of tasks that differ: those that the strategy knows within their bounds, or any of one's own. */
import { Button } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useT } from '@/app/i18n';
import { Icon } from '@/ui/icons';
import { missingRoles, strategyOf } from '../frameworks';
import { rolesOf, textAt } from '../file/reading';
import { fieldId, useForm, useMistake } from './context';
import { Role } from './Role';
import ink from '@/ui/theme/ink.module.css';
import style from './Form.module.css';

const USUAL_NAMES = ['worker', 'ps', 'evaluator', 'reader'];

export function Roles() {
  const t = useT();
  const { file, choices, apply } = useForm();
  const roles = rolesOf(file);
  const error = useMistake(['roles']);
  const adder = useRef<HTMLButtonElement>(null);
  const removed = useRef(false);
  // The role that was removed may be the first that can be added again.
  useEffect(() => {
    if (removed.current) adder.current?.focus();
    removed.current = false;
  }, [roles.length]);
  const strategy = strategyOf(file, choices.frameworks);
  const add = (name: string) => apply([{ path: ['roles', roles.length], value: { name, replicas: 1 } }]);
  const another = () => {
    const names = new Set(roles.map((role) => textAt(role, ['name'])));
    add(USUAL_NAMES.find((each) => !names.has(each)) ?? `role-${roles.length + 1}`);
  };
  return (
    <div className={style.stack} id={fieldId(['roles'])}>
      {roles.map((role, place) => (
        <Role
          // oxlint-disable-next-line react/no-array-index-key -- a role keeps the caret while its name is typed
          key={place}
          place={place}
          name={textAt(role, ['name'])}
          only={roles.length === 1}
          onRemoved={() => (removed.current = true)}
        />
      ))}
      {error && <p className={ink.error}>{error}</p>}
      <div className={style.chips}>
        {strategy ? (
          missingRoles(file, strategy).map(({ name }, at) => (
            <Button
              key={name}
              ref={at === 0 ? adder : undefined}
              variant="default"
              size="compact-xs"
              leftSection={<Icon name="plus" size={12} />}
              onClick={() => add(name)}
            >
              {t('role.addNamed', { name })}
            </Button>
          ))
        ) : (
          <Button ref={adder} variant="default" size="compact-xs" leftSection={<Icon name="plus" size={12} />} onClick={another}>
            {t('role.add')}
          </Button>
        )}
      </div>
    </div>
  );
}
