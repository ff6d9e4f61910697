/** The cache of server answers, and how live topics refresh it. */
import { hashKey, QueryClient } from '@tanstack/react-query';
import type { QueryKey } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { apiUrl } from '@/api/client';
import { jobKeys } from '@/api/jobs';
import type { LogSource } from '@/api/logs';
import { ApiError } from '@/api/problem';
import { sessionKeys } from '@/api/session';
import { FEATURES } from '@/features';
import { TopicBatch } from './batch';
import type { Stale, Topic } from './feature';
import { LiveConnection } from './live';
import type { LiveStatus, LogListener } from './live';

const REFRESH_EVERY_MS = 500;
const POLL_WITHOUT_LIVE_MS = 15_000;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      refetchOnWindowFocus: false,
      // A refusal will not change by asking again; a failed connection may.
      retry: (count, error) => count < 2 && !(error instanceof ApiError && error.status >= 400 && error.status < 500),
    },
  },
});

/** Which cached answers a topic makes stale. */
export function keysOf(topic: string): QueryKey[] {
  if (topic.startsWith('job:')) return [jobKeys.one(topic.slice('job:'.length))];
  return FEATURES.flatMap(({ stale = {} }: { stale?: Stale }) => stale[topic as Topic] ?? []);
}

/** Each once, however many topics name it: a second refresh would break off the first. */
export function keysOfAll(topics: Iterable<string>): QueryKey[] {
  const found = [...topics].flatMap(keysOf);
  return [...new Map(found.map((key) => [hashKey(key), key])).values()];
}

const batch = new TopicBatch({
  intervalMs: REFRESH_EVERY_MS,
  isHidden: () => document.hidden,
  deliver: (topics) => Promise.all(keysOfAll(topics).map((queryKey) => queryClient.invalidateQueries({ queryKey }))),
});

/** Another tab may have signed out, or in as somebody else; see `watchSession` for what follows. */
function askWhoIsSignedIn(): void {
  if (!document.hidden) void queryClient.invalidateQueries({ queryKey: sessionKeys.current });
}

export const live = new LiveConnection({
  url: apiUrl('live').replace(/^http/, 'ws'),
  onTopic: (topic) => batch.add(topic),
  onTurn: askWhoIsSignedIn,
});

document.addEventListener('visibilitychange', () => {
  batch.resume();
  askWhoIsSignedIn();
  if (!document.hidden) live.hurry();
});
addEventListener('online', () => live.hurry());

/** Keeps what depends on a topic fresh while the component is on the page. */
export function useLive(topic: string): void {
  useEffect(() => live.want(topic), [topic]);
}

/** Follows a log from an offset until it ends or the returned function is called. */
export const followLog = (source: LogSource, from: number, listener: LogListener): (() => void) =>
  live.follow({ ...source, offset: from }, listener);

export function useLiveStatus(): LiveStatus {
  return useSyncExternalStore(live.watchStatus, () => live.status);
}

/** `refetchInterval` of live queries: they poll only where the live connection is missing. */
export const pollWithoutLive = (): number | false => (live.status === 'open' ? false : POLL_WITHOUT_LIVE_MS);
