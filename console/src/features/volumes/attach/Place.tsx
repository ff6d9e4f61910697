/** Where an attached volume's data is: looked at when asked to, and its login changed. */
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { FormEvent, ReactNode } from 'react';
import { useState } from 'react';
import { ApiError } from '@/api/problem';
import { checkVolume, setVolumeLogin, volumeKeys } from '@/api/volumes';
import type { Volume } from '@/api/volumes';
import { useT } from '@/app/i18n';
import { useSave } from '@/parts/useSave';
import { Icon } from '@/ui/icons';
import { Facts, Notice, Panel } from '@/ui/page/Panel';
import { errorText } from '@/ui/page/States';
import { LoginFields } from './LoginFields';
import { Verdict } from './Verdict';
import layout from '@/ui/page/layout.module.css';

type Fact = [label: string, value: ReactNode];

export function Place({ volume, mayEdit }: { volume: Volume; mayEdit: boolean }) {
  const t = useT();
  const check = useMutation({ mutationFn: () => checkVolume(volume.id) });
  const { source } = volume;
  if (!source) return null;
  const inBucket = volume.kind === 'bucket';
  const store: Fact[] = [
    [t('volumes.endpoint'), <code key="endpoint">{source.endpoint}</code>],
    [t('volumes.region'), source.region],
  ];
  const login: Fact[] = [[t('volumes.login'), t(volume.has_login ? 'volumes.loginKept' : 'volumes.loginNone')]];
  const look = mayEdit ? (
    <Button variant="default" leftSection={<Icon name="restart" />} loading={check.isPending} onClick={() => check.mutate()}>
      {t('volumes.check')}
    </Button>
  ) : null;
  return (
    <Panel title={t('volumes.place')} aside={look}>
      <div className={layout.stack}>
        <Facts
          items={[
            [t('volumes.address'), <code key="address">{source.address}</code>],
            ...(inBucket ? store : []),
            [t('sharing.access'), t(source.writable ? 'sharing.rw' : 'sharing.ro')],
            ...(inBucket ? login : []),
          ]}
        />
        {check.data && <Verdict findings={check.data.findings} />}
        {check.error && <Notice tone="red" icon="warning" title={errorText(check.error, t)} role="alert" />}
        {mayEdit && inBucket && <LoginForm volume={volume} />}
      </div>
    </Panel>
  );
}

function LoginForm({ volume }: { volume: Volume }) {
  const t = useT();
  const none = { key: '', secret: '' };
  const [login, setLogin] = useState(none);
  const save = useSave({
    save: () => setVolumeLogin(volume.id, { key: login.key.trim(), secret: login.secret }),
    close: () => setLogin(none),
    said: t('volumes.loginChanged'),
    invalidate: [volumeKeys.all],
    fields: ['key', 'secret'],
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  const findings = verdictOf(save.untold);
  return (
    <form className={layout.form} onSubmit={submit}>
      <LoginFields login={login} error={save.mistakes.key ?? save.mistakes.secret} onChange={setLogin} />
      {findings ? <Verdict findings={findings} /> : null}
      {save.untold && !findings ? <Notice tone="red" icon="warning" title={errorText(save.untold, t)} role="alert" /> : null}
      <div className={layout.buttons}>
        <Button type="submit" variant="default" loading={save.isPending} disabled={!login.key.trim() || !login.secret}>
          {t('volumes.changeLogin')}
        </Button>
      </div>
    </form>
  );
}

/** Of a refusal that says at which step an address fails. */
export const verdictOf = (error: unknown) =>
  error instanceof ApiError && error.problem.type === 'not_attachable' ? error.problem.findings : undefined;
