/** All that happened to a job. */
import { useQuery } from '@tanstack/react-query';
import { listEvents } from '@/api/jobs';
import { keys } from '@/api/keys';
import { pollWithoutLive } from '@/app/queries';

export const useJobEvents = (job: string) =>
  useQuery({ queryKey: keys.jobEvents(job), queryFn: ({ signal }) => listEvents(job, signal), refetchInterval: pollWithoutLive });
