/** How large a job is, in a few characters: "4 × 8 A100", "2 CPU · 4 GiB". */
import type { JobKind, JobRow } from '@/api/types';
import type { MessageKey, Translate } from '@/app/i18n';
import { formatBytes, formatCount } from '@/ui/format';

export const KIND_WORDS: Record<JobKind, MessageKey> = {
  training: 'kind.training',
  workspace: 'kind.workspace',
  service: 'kind.service',
};

type Sized = Pick<JobRow, 'gpus' | 'gpu_model' | 'cpus' | 'memory' | 'nodes'>;

export function sizeOf({ gpus, gpu_model: model, cpus, memory, nodes }: Sized, t: Translate): string {
  if (gpus > 0) {
    const each = gpus / Math.max(1, nodes);
    const kind = model ?? t('size.gpu');
    if (nodes > 1 && Number.isInteger(each)) return `${nodes} × ${each} ${kind}`;
    return `${formatCount(gpus)} ${kind}`;
  }
  const cpu = t('size.cpus', { count: formatCount(cpus) });
  return memory > 0 ? `${cpu} · ${formatBytes(memory)}` : cpu;
}
