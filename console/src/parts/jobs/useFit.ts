/** What a job's earlier runs used at most, and the flavor that would have been enough. */
import { useQuery } from '@tanstack/react-query';
import { flavorKeys, recommendFlavors } from '@/api/rules/flavors';
import type { Flavor } from '@/api/rules/flavors';
import { useSentence } from '@/app/i18n';

const FRESH_MS = 60_000;

export interface Fit {
  /** A sentence: "Its last 3 runs used at most …". */
  used: string;
  /** None where no flavor on offer is enough. */
  flavor: Flavor | null;
}

/** Null where nothing was measured, or is known yet; of no job there is none. */
export function useFit(job: string | undefined): Fit | null {
  const say = useSentence();
  const { data } = useQuery({
    queryKey: flavorKeys.fit(job ?? ''),
    queryFn: ({ signal }) => recommendFlavors(job ?? '', signal),
    enabled: job !== undefined,
    staleTime: FRESH_MS,
    retry: false,
  });
  if (!data?.measured || !data.text) return null;
  const used = say(data.text);
  return { used: used.charAt(0).toUpperCase() + used.slice(1), flavor: data.items[0]?.flavor ?? null };
}
