/** Draws the short messages; see notify. */
import '@/ui/theme/kit-toasts.css';
import { Notifications, notifications } from '@mantine/notifications';
import { translate } from '../i18n';
import type { Note } from '../notify';
import style from './Toasts.module.css';

const READ_MS = 5000;
/** Bad news, and what can be acted upon, takes longer. */
const WEIGH_MS = 10_000;

export function show({ message, title, bad, action }: Note): void {
  const id = notifications.show({
    title,
    message: (
      <>
        {message}
        {action && (
          <button type="button" className={style.action} onClick={act}>
            {action.label}
          </button>
        )}
      </>
    ),
    color: bad ? 'red' : undefined,
    autoClose: bad || action ? WEIGH_MS : READ_MS,
    closeButtonProps: { 'aria-label': translate('action.close') },
  });
  function act(): void {
    notifications.hide(id);
    action?.run();
  }
}

export const clear = (): void => notifications.clean();

export default function Toasts() {
  return <Notifications position="bottom-right" limit={4} />;
}
