/** How large a job is, in a few characters: "4 × 8 A100", "16 A100 in all", "2 CPU · 4 GiB". */
import type { JobDetail, JobKind, JobRow } from '@/api/jobs';
import type { MessageKey, Translate } from '@/app/i18n';
import { formatBytes, formatCount } from '@/ui/words/format';

export const KIND_WORDS: Record<JobKind, MessageKey> = {
  training: 'kind.training',
  workspace: 'kind.workspace',
  service: 'kind.service',
};

type Sized = Pick<JobRow, 'gpus' | 'gpu_model' | 'cpus' | 'memory' | 'nodes'>;

export function sizeOf({ gpus, gpu_model: model, cpus, memory, nodes }: Sized, t: Translate): string {
  if (gpus > 0) {
    const kind = model ?? t('size.cards', { count: gpus });
    // Danlu divides them as there is room.
    if (nodes === 0) return t('size.total', { count: formatCount(gpus), model: kind });
    const each = gpus / nodes;
    if (nodes > 1 && Number.isInteger(each)) return `${nodes} × ${each} ${kind}`;
    return `${formatCount(gpus)} ${kind}`;
  }
  const cpu = t('size.cpus', { count: formatCount(cpus) });
  return memory > 0 ? `${cpu} · ${formatBytes(memory)}` : cpu;
}

/** Of a total that was divided, also how: "16 A100 as 4 × 4". */
export function dividedSize(job: Sized & Pick<JobDetail, 'state' | 'tasks'>, t: Translate): string {
  const cards = job.tasks.map((task) => task.gpus.length).filter((count) => count > 0);
  const waits = job.state === 'created' || job.state === 'queued';
  if (job.nodes !== 0 || job.gpus === 0 || cards.length === 0 || waits) return sizeOf(job, t);
  if (cards.length === 1) return sizeOf({ ...job, nodes: 1 }, t);
  const sizes = [...new Set(cards)].toSorted((a, b) => b - a);
  const parts = sizes.map((size) => `${cards.filter((count) => count === size).length} × ${size}`).join(' + ');
  return t('size.divided', { count: formatCount(job.gpus), model: job.gpu_model ?? t('size.cards', { count: job.gpus }), parts });
}
