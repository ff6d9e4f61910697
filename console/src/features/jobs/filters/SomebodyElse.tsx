/** Names a person whose jobs to show. */
import { Button } from '@mantine/core';
import type { FormEvent } from 'react';
import { useState } from 'react';
import { useT } from '@/app/i18n';
import { usePeople } from '@/parts/people/usePeople';
import { Suggested } from '@/ui/form/Suggested';
import style from './Filters.module.css';

export default function SomebodyElse({ owner, onChoose }: { owner: string; onChoose: (owner: string | undefined) => void }) {
  const t = useT();
  const [name, setName] = useState(owner);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onChoose(name.trim() || undefined);
  };
  return (
    <form className={style.somebody} onSubmit={submit}>
      <Suggested label={t('jobs.somebody')} names={usePeople()} maxLength={100} value={name} onChange={setName} />
      <Button type="submit" variant="default">
        {t('jobs.show')}
      </Button>
    </form>
  );
}
