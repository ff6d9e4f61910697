/** Names a view, or asks before one is deleted. */
import '@/ui/theme/kit-forms.css';
import { Button, TextInput } from '@mantine/core';
import type { FormEvent } from 'react';
import { useState } from 'react';
import type { SavedView } from '@/api/me';
import { useT } from '@/app/i18n';
import { Dialog } from '@/ui/dialog/Dialog';
import { LONGEST_NAME } from './views';
import style from '../bulk/Bulk.module.css';

export type ViewQuestion = { kind: 'save' } | { kind: 'rename' | 'delete'; view: SavedView };

interface Props {
  question: ViewQuestion;
  /** Names that other views have. */
  taken: string[];
  onAnswer: (name: string) => void;
  onClose: () => void;
}

export default function ViewDialog({ question, taken, onAnswer, onClose }: Props) {
  const t = useT();
  const old = question.kind === 'save' ? '' : question.view.name;
  const [name, setName] = useState(old);
  const [touched, setTouched] = useState(false);
  const deleting = question.kind === 'delete';
  const wanted = name.trim();
  const problem = wanted === '' ? t('views.nameless') : wanted !== old && taken.includes(wanted) ? t('views.taken') : null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTouched(true);
    if (deleting || !problem) onAnswer(wanted);
  };
  const title = deleting
    ? t('views.deleteAsk', { name: old })
    : question.kind === 'rename'
      ? t('views.renameTitle', { name: old })
      : t('views.saveTitle');
  const confirm = deleting ? t('views.delete') : question.kind === 'rename' ? t('views.rename') : t('views.saveIt');
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={submit}>
        {deleting ? (
          <p>{t('views.deleteText')}</p>
        ) : (
          <TextInput
            data-autofocus
            label={t('views.name')}
            description={question.kind === 'save' ? t('views.saveText') : undefined}
            maxLength={LONGEST_NAME}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            onBlur={() => setTouched(name !== old)}
            error={touched && problem}
          />
        )}
        <div className={style.actions}>
          <Button variant="default" onClick={onClose}>
            {t('action.cancel')}
          </Button>
          <Button type="submit" {...(deleting && { color: 'red', 'data-autofocus': true })}>
            {confirm}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
