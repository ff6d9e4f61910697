/** Draws the short messages; see notify. */
import { Notifications, notifications } from '@mantine/notifications';
import { translate } from './i18n';
import type { Note } from './notify';

export function show({ message, title, bad }: Note): void {
  const closeButtonProps = { 'aria-label': translate('action.close') };
  notifications.show({ message, title, color: bad ? 'red' : undefined, closeButtonProps });
}

export default function Toasts() {
  return <Notifications position="bottom-right" autoClose={5000} limit={4} />;
}
