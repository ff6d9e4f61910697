/** A new way in for somebody who lost theirs: the password goes, and a link that is shown once comes. */
import { resetUser, userKeys } from '@/api/people';
import type { User } from '@/api/people';
import { useT } from '@/app/i18n';
import { useSave } from '@/parts/useSave';
import { Dialog } from '@/ui/dialog/Dialog';
import { FormDialog } from '@/ui/dialog/FormDialog';
import { LinkOnce } from './LinkOnce';

export default function ResetUser({ user: { name, sign_in }, onClose }: { user: User; onClose: () => void }) {
  const t = useT();
  const reset = useSave({ save: () => resetUser(name), invalidate: [userKeys.all] });
  if (reset.data) {
    return (
      <Dialog title={t('people.linkTitle', { name })} onClose={onClose} size={520} sticky>
        <LinkOnce link={reset.data} text={t('people.resetDone')} onClose={onClose} />
      </Dialog>
    );
  }
  return (
    <FormDialog
      title={t('people.linkTitle', { name })}
      action={t('people.makeLink')}
      danger={sign_in !== 'invited'}
      busy={reset.isPending}
      error={reset.error}
      size={440}
      onSubmit={() => reset.mutate()}
      onClose={onClose}
    >
      <p>{t(sign_in === 'invited' ? 'people.resetInvitedText' : 'people.resetText')}</p>
    </FormDialog>
  );
}
