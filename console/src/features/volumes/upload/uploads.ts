/** The uploads of the person who is signed in, one queue for all pages of this tab. */
import { useSyncExternalStore } from 'react';
import { uploadsUrl, volumeKeys } from '@/api/volumes';
import { queryClient } from '@/app/queries';
import { useMe } from '@/app/session';
import { UploadQueue } from './queue';
import type { UploadsNow } from './queue';

const queues = new Map<string, UploadQueue>();

function queueOf(user: string): UploadQueue {
  const known = queues.get(user);
  if (known) return known;
  for (const other of queues.values()) other.pause();
  const queue = new UploadQueue({
    user,
    uploads: uploadsUrl,
    arrived: (volume) => void queryClient.invalidateQueries({ queryKey: volumeKeys.files(volume) }),
  });
  queues.set(user, queue);
  queue.subscribe(() => warnBeforeLeaving(queue.now().open > 0));
  return queue;
}

/** Whoever closes the tab is asked: what is under way would have to be chosen again. */
function warnBeforeLeaving(on: boolean): void {
  if (on) addEventListener('beforeunload', ask);
  else removeEventListener('beforeunload', ask);
}

const ask = (event: Event) => event.preventDefault();

export function useUploads(): { queue: UploadQueue; now: UploadsNow } {
  const { name } = useMe();
  const queue = queueOf(name);
  return { queue, now: useSyncExternalStore(queue.subscribe, queue.now) };
}
