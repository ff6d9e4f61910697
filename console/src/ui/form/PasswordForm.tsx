/** Choosing a password: the rule is shown before the error, the repeat catches slips. */
import '@/ui/theme/kit-forms.css';
import { Button, PasswordInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { FormEvent, ReactNode } from 'react';
import { useState } from 'react';
import { ApiError } from '@/api/problem';
import { changePassword } from '@/api/session';
import type { PasswordEnds } from '@/api/session';
import { useT } from '@/app/i18n';
import { Notice } from '@/ui/page/Panel';
import { errorText } from '@/ui/page/States';
import style from './PasswordForm.module.css';

export const SHORTEST_PASSWORD = 8;

interface Props {
  needsCurrent: boolean;
  submitLabel: string;
  /** What else ends with the change; the choices stand above the button. */
  ends?: PasswordEnds;
  children?: ReactNode;
  onDone: () => void;
}

export function PasswordForm({ needsCurrent, submitLabel, ends, children, onDone }: Props) {
  const t = useT();
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const [again, setAgain] = useState('');
  const [touched, setTouched] = useState(false);
  const tooShort = next.length < SHORTEST_PASSWORD;
  const differs = again !== next;
  const change = useMutation({
    mutationFn: () => changePassword(next, needsCurrent ? current : undefined, ends),
    onSuccess: () => {
      setCurrent('');
      setNext('');
      setAgain('');
      setTouched(false);
      onDone();
    },
  });
  const wrong = change.error instanceof ApiError && change.error.problem.errors.some(({ code }) => code === 'wrong_password');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTouched(true);
    if (!tooShort && !differs) change.mutate();
  };
  const toggle = { 'aria-label': t('signIn.show') };
  return (
    <form className={style.form} onSubmit={submit}>
      {change.isError && !wrong && <Notice tone="red" icon="failed" role="alert" title={errorText(change.error, t)} />}
      {needsCurrent && (
        <PasswordInput
          label={t('password.current')}
          autoComplete="current-password"
          required
          withAsterisk={false}
          visibilityToggleButtonProps={toggle}
          value={current}
          onChange={(event) => setCurrent(event.currentTarget.value)}
          error={wrong ? t('password.wrong') : undefined}
        />
      )}
      <PasswordInput
        label={t('password.new')}
        description={t('password.rule', { count: SHORTEST_PASSWORD })}
        autoComplete="new-password"
        visibilityToggleButtonProps={toggle}
        value={next}
        onChange={(event) => setNext(event.currentTarget.value)}
        onBlur={() => setTouched(next !== '')}
        error={touched && tooShort ? t('password.short', { count: SHORTEST_PASSWORD, length: next.length }) : undefined}
      />
      <PasswordInput
        label={t('password.again')}
        autoComplete="new-password"
        visibilityToggleButtonProps={toggle}
        value={again}
        onChange={(event) => setAgain(event.currentTarget.value)}
        error={touched && again !== '' && differs ? t('password.differs') : undefined}
      />
      {children}
      <div>
        <Button type="submit" loading={change.isPending}>
          {submitLabel}
        </Button>
      </div>
    </form>
  );
}
