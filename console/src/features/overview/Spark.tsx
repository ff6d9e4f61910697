/** How busy a running job has been, as a line the size of a word: its GPUs where they are measured, else its CPUs. */
import { useQuery } from '@tanstack/react-query';
import type { JobUsage } from '@/api/usage';
import { getJobUsage, usageKeys } from '@/api/usage';
import { useT } from '@/app/i18n';
import style from './Overview.module.css';

const QUERY = { window: '15m', points: 32 };
const EVERY_MS = 30_000;
const [WIDTH, HEIGHT] = [96, 20];

export function Spark({ job, name }: { job: string; name: string }) {
  const t = useT();
  const { data } = useQuery({
    queryKey: usageKeys.job(job, QUERY),
    queryFn: ({ signal }) => getJobUsage(job, QUERY, signal),
    refetchInterval: EVERY_MS,
    retry: false,
  });
  const shares = data ? busyShares(data) : [];
  const last = shares.findLast((share) => share !== null);
  if (last === undefined || last === null) return null;
  const percent = Math.round(last * 100);
  return (
    <svg className={style.spark} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={t('overview.busy', { name, percent })}>
      <title>{t('overview.busy', { name, percent })}</title>
      <path d={pathOf(shares)} fill="none" stroke="currentColor" strokeWidth={1.5} strokeLinejoin="round" />
    </svg>
  );
}

/** The mean over its GPUs, or over the CPUs it was given, from 0 to 1; null where nothing was measured. */
export function busyShares({ items }: Pick<JobUsage, 'items'>): (number | null)[] {
  const cards = items.flatMap(({ gpus }) => gpus.map(({ busy }) => busy.mean)).filter((line) => line.some((value) => value !== null));
  const lines =
    cards.length > 0
      ? cards
      : items.map(({ cpus, cpus_given: given }) => cpus.mean.map((value) => (value === null ? null : value / given)));
  const length = Math.max(0, ...lines.map((line) => line.length));
  return Array.from({ length }, (_, at) => {
    const known = lines.map((line) => line[at] ?? null).filter((value) => value !== null);
    return known.length > 0 ? Math.min(1, known.reduce((sum, value) => sum + value, 0) / known.length) : null;
  });
}

/** Gaps in what was measured are gaps in the line. */
function pathOf(shares: readonly (number | null)[]): string {
  const step = WIDTH / Math.max(1, shares.length - 1);
  return shares
    .map((share, at) => {
      if (share === null) return '';
      const begins = at === 0 || shares[at - 1] === null;
      return `${begins ? 'M' : 'L'}${(at * step).toFixed(1)} ${(HEIGHT - 1 - share * (HEIGHT - 2)).toFixed(1)}`;
    })
    .join('');
}
