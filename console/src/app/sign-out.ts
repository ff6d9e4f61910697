/** Leaving. */
import { useRouter } from '@tanstack/react-router';
import { ApiError } from '@/api/problem';
import { signOut } from '@/api/session';
import { errorText } from '@/ui/page/States';
import { useT } from './i18n';
import { notify } from './notify';
import { adoptSession } from './session';

/**
 * Ends the session and forgets what was seen. Only the server can end it: where it cannot be told, the person stays signed in
 * and is told so. Work that was not sent does not hold anybody back; drafts are kept for their return.
 */
export function useSignOut(): () => Promise<void> {
  const router = useRouter();
  const t = useT();
  const leave = async (): Promise<void> => {
    try {
      await signOut();
    } catch (error) {
      if (!isOver(error)) {
        notify({
          bad: true,
          title: t('signOut.failed'),
          message: errorText(error, t),
          action: { label: t('action.retry'), run: () => void leave() },
        });
        return;
      }
    }
    adoptSession(null);
    await router.navigate({ to: '/sign-in', ignoreBlocker: true });
  };
  return leave;
}

/** There was no session any more. */
function isOver(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}
