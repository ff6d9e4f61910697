/** All that happened to a job. */
import { useQuery } from '@tanstack/react-query';
import { jobKeys, listEvents } from '@/api/jobs';
import { pollWithoutLive } from '@/app/queries';

export const useJobEvents = (job: string) =>
  useQuery({ queryKey: jobKeys.events(job), queryFn: ({ signal }) => listEvents(job, signal), refetchInterval: pollWithoutLive });
