/** Making an API token: a name and an end; the secret is shown once. */
import '@/ui/theme/kit-choices.css';
import '@/ui/theme/kit-forms.css';
import { Button, Select, TextInput } from '@mantine/core';
import type { FormEvent } from 'react';
import { useState } from 'react';
import { createToken, sessionKeys } from '@/api/session';
import type { TokenCreated } from '@/api/session';
import { useT } from '@/app/i18n';
import { useMay } from '@/app/session';
import { useSave } from '@/parts/useSave';
import { Copy } from '@/ui/words/clipboard';
import { Dialog } from '@/ui/dialog/Dialog';
import { Notice } from '@/ui/page/Panel';
import { errorText } from '@/ui/page/States';
import ink from '@/ui/theme/ink.module.css';
import layout from '@/ui/page/layout.module.css';
import style from './Profile.module.css';

/** As the server has it. */
const LONGEST_NAME = 100;
const WITH_SESSION = 'session';

export default function NewToken({ onClose }: { onClose: () => void }) {
  const t = useT();
  const mayExtend = useMay('token:extend');
  const [name, setName] = useState('');
  const [expires, setExpires] = useState<string | null>('90d');
  const make = useSave({
    save: () => createToken(name.trim(), expires && expires !== WITH_SESSION ? expires : undefined),
    invalidate: [sessionKeys.tokens],
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    make.mutate();
  };
  return (
    <Dialog title={t('tokens.new')} onClose={onClose} sticky={Boolean(make.data)}>
      {make.data ? (
        <Secret token={make.data} onClose={onClose} />
      ) : (
        <form className={layout.form} onSubmit={submit}>
          <TextInput
            data-autofocus
            required
            withAsterisk={false}
            label={t('tokens.name')}
            description={t('tokens.nameHint')}
            maxLength={LONGEST_NAME}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            error={make.error ? errorText(make.error, t) : undefined}
          />
          <Select
            label={t('tokens.expires')}
            allowDeselect={false}
            data={[
              { value: WITH_SESSION, label: t('tokens.withSession') },
              { value: '30d', label: t('tokens.days', { count: 30 }) },
              { value: '90d', label: t('tokens.days', { count: 90 }) },
              { value: '365d', label: t('tokens.days', { count: 365 }) },
              ...(mayExtend ? [{ value: 'never', label: t('tokens.never') }] : []),
            ]}
            value={expires}
            onChange={setExpires}
          />
          <div className={style.dialogActions}>
            <Button variant="default" onClick={onClose}>
              {t('action.cancel')}
            </Button>
            <Button type="submit" loading={make.isPending}>
              {t('tokens.make')}
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  );
}

function Secret({ token, onClose }: { token: TokenCreated; onClose: () => void }) {
  const t = useT();
  return (
    <div className={layout.form}>
      <Notice tone="amber" icon="warning" title={t('tokens.once')} />
      <code className={ink.secret}>{token.secret}</code>
      <div className={style.dialogActions}>
        <Copy words text={token.secret} label={t('action.copy')} />
        <Button onClick={onClose}>{t('action.done')}</Button>
      </div>
    </div>
  );
}
