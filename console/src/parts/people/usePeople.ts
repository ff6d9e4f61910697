/** The names of all people, for those who may see them; nobody's for others. */
import { useQuery } from '@tanstack/react-query';
import { listUsers, userKeys } from '@/api/people';
import { useMayEverywhere } from '@/app/session';

export function usePeople(): string[] {
  const enabled = useMayEverywhere('user:read');
  const { data } = useQuery({ queryKey: [...userKeys.all, 'names'], queryFn: ({ signal }) => listUsers(signal), enabled, retry: false });
  return data?.map(({ name }) => name) ?? [];
}
