/** What Danlu signs in with at an address outside; it is sent once and never shown again. */
import { PasswordInput, TextInput } from '@mantine/core';
import { useT } from '@/app/i18n';

export interface LoginText {
  key: string;
  secret: string;
}

interface Props {
  login: LoginText;
  error: string | undefined;
  onChange: (login: LoginText) => void;
}

export function LoginFields({ login, error, onChange }: Props) {
  const t = useT();
  return (
    <>
      <TextInput
        label={t('volumes.key')}
        autoComplete="off"
        spellCheck={false}
        value={login.key}
        onChange={(event) => onChange({ ...login, key: event.currentTarget.value })}
      />
      <PasswordInput
        label={t('volumes.secret')}
        description={t('volumes.secretText')}
        autoComplete="new-password"
        error={error}
        value={login.secret}
        onChange={(event) => onChange({ ...login, secret: event.currentTarget.value })}
      />
    </>
  );
}
