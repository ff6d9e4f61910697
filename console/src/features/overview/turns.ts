/** In which order one's own waiting jobs come to their turn. */
import type { QueueItem } from '@/api/queue';

/** Lanes do not wait for each other: the place within the lane counts, then who has waited longer. */
export function inTurn(items: QueueItem[]): QueueItem[] {
  return items.toSorted((a, b) => a.position - b.position || since(a) - since(b));
}

function since({ queued_at: queued, created_at: created }: QueueItem): number {
  return Date.parse(queued ?? created);
}
