/** Snapshots and verifications of a dataset: asked for again while one is under way, and what they change after it. */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { DatasetAct } from '@/api/datasets';
import { datasetKeys, listActs } from '@/api/datasets';
import { queryClient } from '@/app/queries';

const AGAIN_MS = 1000;
const NONE: DatasetAct[] = [];

export const isUnderWay = ({ state }: DatasetAct): boolean => state === 'waiting' || state === 'running';

export function useActs(dataset: string): DatasetAct[] {
  const { data = NONE } = useQuery({
    queryKey: datasetKeys.acts(dataset),
    queryFn: ({ signal }) => listActs(dataset, signal),
    refetchInterval: ({ state }) => (state.data?.some(isUnderWay) ? AGAIN_MS : false),
  });
  const open = data.filter(isUnderWay).length;
  const before = useRef(open);
  useEffect(() => {
    if (open < before.current) void queryClient.invalidateQueries({ queryKey: datasetKeys.all });
    before.current = open;
  }, [open]);
  return data;
}
