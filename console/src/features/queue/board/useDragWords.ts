/** What is said aloud while a row is carried. */
import type { QueueItem } from '@/api/queue';
import { useT } from '@/app/i18n';
import type { DragWords, Held } from '@/ui/drag/DragList';
import type { Line } from '../lines';
import { jobName } from '../words';

export function useDragWords(itemOf: (slot: string) => QueueItem | undefined, lineFor: (item: QueueItem) => Line | undefined): DragWords {
  const t = useT();
  const nameOf = (item: QueueItem | undefined) => (item ? jobName(item, t) : '');
  const countOf = (item: QueueItem | undefined) => item && lineFor(item)?.length;
  const values = ({ id, slots, to }: Held) => ({
    name: nameOf(itemOf(id)),
    place: to + 1,
    // Some of the line may not be loaded yet.
    count: countOf(itemOf(id)) ?? slots.length,
    position: itemOf(slots[to] ?? '')?.position ?? 0,
  });
  return {
    instructions: t('drag.instructions'),
    lifted: (held) => t('drag.lifted', values(held)),
    over: (held) => t('drag.over', values(held)),
    dropped: (held) => t('drag.dropped', values(held)),
    cancelled: (held) => t('drag.cancelled', values(held)),
  };
}
