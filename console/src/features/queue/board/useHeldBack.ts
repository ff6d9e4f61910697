/** News wait while somebody holds a row or has a menu open, so that nothing moves under their hand. */
import { useRef } from 'react';
import type { QueueItem } from '@/api/queue';
import { laneKey } from '../lines';

/** The latest value, or, while something is held, what it was when the hold began, or became known since. */
export function useHeldBack<Value>(value: Value, holding: boolean, known = true): Value {
  const kept = useRef({ value, known });
  if (!holding || !kept.current.known) kept.current = { value, known };
  return kept.current.value;
}

export function sameOrder(some: readonly QueueItem[], others: readonly QueueItem[]): boolean {
  if (some === others) return true;
  return some.length === others.length && some.every((one, at) => standsLike(one, others[at]!));
}

function standsLike(one: QueueItem, other: QueueItem): boolean {
  return one.job_id === other.job_id && one.position === other.position && one.owner === other.owner && laneKey(one) === laneKey(other);
}
