/** What the members of a group may do with everybody's things, as a list to tick. */
import { Button } from '@mantine/core';
import type { FormEvent } from 'react';
import { useState } from 'react';
import { editGroup, groupKeys } from '@/api/groups';
import type { Group } from '@/api/groups';
import { meKeys } from '@/api/me';
import { useT } from '@/app/i18n';
import { useEverywhere } from '@/app/session';
import { GRANTABLE } from '@/parts/people/permissions';
import { Refused } from '@/parts/Refused';
import { useSave } from '@/parts/useSave';
import { CheckList } from '@/ui/form/CheckList';
import { Panel } from '@/ui/page/Panel';
import layout from '@/ui/page/layout.module.css';
import ink from '@/ui/theme/ink.module.css';
import style from './Groups.module.css';

export function PermissionForm({ group: { name, permissions }, mayWrite }: { group: Group; mayWrite: boolean }) {
  const t = useT();
  const mine = useEverywhere();
  // Null until something is ticked: it follows what the server has.
  const [ticked, setTicked] = useState<string[] | null>(null);
  const chosen = ticked ?? permissions;
  const save = useSave({
    save: () => editGroup(name, { permissions: chosen }),
    said: t('groups.saved'),
    invalidate: [groupKeys.all, meKeys.permissions, meKeys.me],
    after: () => setTicked(null),
  });
  const changed = [...chosen].sort().join() !== [...permissions].sort().join();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <Panel title={t('groups.permissions')}>
      <form className={layout.stack} onSubmit={submit}>
        <p className={ink.quiet}>{t('groups.permissionsText')}</p>
        {GRANTABLE.map(({ noun, title, permissions: words }) => (
          <section key={noun} className={style.noun}>
            <h3 className={ink.heading}>{t(title)}</h3>
            <CheckList
              bare
              label={t(title)}
              options={Object.entries(words).map(([value, word]) => ({
                value,
                label: t(word),
                hint: value,
                disabled: !mayWrite || !mine.includes(value),
              }))}
              chosen={chosen}
              onChange={(next) => {
                setTicked(next);
                save.reset();
              }}
            />
          </section>
        ))}
        <Refused error={save.error} />
        {mayWrite && (
          <div className={layout.buttons}>
            <Button variant="default" disabled={!changed} onClick={() => setTicked(null)}>
              {t('groups.undo')}
            </Button>
            <Button type="submit" disabled={!changed} loading={save.isPending}>
              {t('clusters.save')}
            </Button>
          </div>
        )}
      </form>
    </Panel>
  );
}
