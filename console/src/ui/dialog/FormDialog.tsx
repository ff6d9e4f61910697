/** A form in a dialog: its fields, what stands against it, and its buttons, which stay in sight. */
import '@/ui/theme/kit-forms.css';
import { Button } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { useEffect, useRef } from 'react';
import { useT } from '@/app/i18n';
import { Dialog } from './Dialog';
import { Notice } from '@/ui/page/Panel';
import { errorText } from '@/ui/page/States';
import layout from '@/ui/page/layout.module.css';

interface Props {
  title: string;
  /** The word on the button that sends it. */
  action: string;
  busy: boolean;
  /** What is told as a whole; mistakes at fields are told there. */
  error?: unknown;
  danger?: boolean;
  /** It lacks something that it cannot be sent without. */
  disabled?: boolean;
  size?: number;
  /** What stands at the left of the buttons. */
  aside?: ReactNode;
  onSubmit: () => void;
  onClose: () => void;
  children: ReactNode;
}

export function FormDialog({ title, action, busy, error, danger, disabled, size = 520, aside, onSubmit, onClose, children }: Props) {
  const t = useT();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <Dialog title={title} onClose={onClose} size={size} sticky={busy}>
      <form className={layout.form} onSubmit={submit}>
        {children}
        {error ? <Trouble error={error} /> : null}
        <div className={layout.foot}>
          {aside}
          <span className={layout.spring} />
          <Button variant="default" onClick={onClose}>
            {t('action.cancel')}
          </Button>
          <Button type="submit" color={danger ? 'red' : undefined} disabled={disabled} loading={busy}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** Brought into view: forms are long. */
function Trouble({ error }: { error: unknown }) {
  const t = useT();
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    place.current?.scrollIntoView({ block: 'nearest' });
  }, [error]);
  return (
    <div ref={place} className={layout.told}>
      <Notice tone="red" icon="warning" title={errorText(error, t)} role="alert" />
    </div>
  );
}
