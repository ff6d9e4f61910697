/** How many requests wait for one's word, for the navigation. */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { countToDecide, requestKeys } from '@/api/requests';

/** The page itself comes first. */
const WAIT_MS = 1200;
const REFRESH_MS = 60_000;

export function useToDecide(): number {
  const [come, setCome] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setCome(true), WAIT_MS);
    return () => clearTimeout(timer);
  }, []);
  const { data } = useQuery({
    queryKey: requestKeys.toDecide,
    queryFn: ({ signal }) => countToDecide(signal),
    enabled: come,
    refetchInterval: REFRESH_MS,
  });
  return data ?? 0;
}
