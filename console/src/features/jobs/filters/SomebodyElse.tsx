/** Names a person whose jobs to show. */
import '@/ui/theme/kit-forms.css';
import { Button, TextInput } from '@mantine/core';
import type { FormEvent } from 'react';
import { useState } from 'react';
import { useT } from '@/app/i18n';
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
      <TextInput
        label={t('jobs.somebody')}
        placeholder={t('signIn.username')}
        maxLength={100}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Button type="submit" variant="default">
        {t('jobs.show')}
      </Button>
    </form>
  );
}
