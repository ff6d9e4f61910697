/** Asks before an action on a job loses something. */
import { titleOf } from '@/api/jobs';
import { useT } from '@/app/i18n';
import Confirm from '@/ui/dialog/Confirm';
import { FRESH_QUESTION, LOOKS, QUESTIONS } from './actions';
import type { DirectAction } from './actions';
import type { JobRef } from './useJobActions';

interface Props {
  asking: { action: DirectAction; job: JobRef; fresh: boolean };
  onCancel: () => void;
  onConfirm: () => void;
}

export default function ConfirmDialog({ asking: { action, job, fresh }, onCancel, onConfirm }: Props) {
  const t = useT();
  const question = fresh ? FRESH_QUESTION : QUESTIONS[action];
  if (!question) return null;
  return (
    <Confirm
      title={t(question.title, { name: titleOf(job) })}
      text={t(question.text)}
      action={t(LOOKS[action].label)}
      onConfirm={onConfirm}
      onClose={onCancel}
    />
  );
}
