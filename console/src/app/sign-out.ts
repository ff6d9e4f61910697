/** Leaving. */
import { useRouter } from '@tanstack/react-router';
import { signOut } from '@/api/session';
import { adoptSession } from './session';

/** Ends the session, also when the server cannot be told, and forgets what was seen. */
export function useSignOut(): () => Promise<void> {
  const router = useRouter();
  return async () => {
    await signOut().catch(() => undefined);
    adoptSession(null);
    await router.navigate({ to: '/sign-in' });
  };
}
