/** Whose jobs: everyone's, one's own, or those of a person one names. */
import { Button, Popover, TextInput } from '@mantine/core';
import type { FormEvent } from 'react';
import { useState } from 'react';
import { useT } from '@/app/i18n';
import { Icon } from '@/ui/icons';
import style from './Filters.module.css';

export function OwnerFilter({ owner, onChange }: { owner: string | undefined; onChange: (owner: string | undefined) => void }) {
  const t = useT();
  const [opened, setOpened] = useState(false);
  const choose = (next: string | undefined) => {
    setOpened(false);
    onChange(next);
  };
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-start" width={220} trapFocus returnFocus shadow="md">
      <Popover.Target>
        <Button variant="default" className={style.filter} data-active={owner !== undefined || undefined} rightSection={<Icon name="down" size={12} />} onClick={() => setOpened(!opened)}>
          {t('jobs.owner')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown className={style.owner} aria-label={t('jobs.owner')}>
        <button type="button" className={style.ownerChoice} aria-pressed={owner === undefined} onClick={() => choose(undefined)}>{t('jobs.everyone')}</button>
        <button type="button" className={style.ownerChoice} aria-pressed={owner === 'me'} onClick={() => choose('me')}>{t('jobs.mine')}</button>
        <SomebodyElse owner={owner === 'me' ? '' : (owner ?? '')} onChoose={choose} />
      </Popover.Dropdown>
    </Popover>
  );
}

function SomebodyElse({ owner, onChoose }: { owner: string; onChoose: (owner: string | undefined) => void }) {
  const t = useT();
  const [name, setName] = useState(owner);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onChoose(name.trim() || undefined);
  };
  return (
    <form className={style.somebody} onSubmit={submit}>
      <TextInput label={t('jobs.somebody')} placeholder={t('signIn.username')} maxLength={100} value={name} onChange={(event) => setName(event.currentTarget.value)} />
      <Button type="submit" variant="default">{t('jobs.show')}</Button>
    </form>
  );
}
