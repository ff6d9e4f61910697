/** Names of what the queue is made of. */
import type { QueueItem } from '@/api/queue';
import type { MessageKey, Translate } from '@/app/i18n';
import { sizeOf } from '@/parts/jobs/size';
import { formatCount, formatDuration } from '@/ui/words/format';
import type { Count } from './lanes';

/** The model under which jobs without GPUs stand. */
export const WITHOUT_GPU = 'cpu';

const CLASS_WORDS: Record<QueueItem['class'], MessageKey> = {
  single: 'queue.classSingle',
  distributed: 'queue.classDistributed',
  workspace: 'kind.workspace',
  service: 'kind.service',
};

export function modelName(model: string, t: Translate): string {
  return model === WITHOUT_GPU ? t('queue.noGpu') : model;
}

export function laneName({ gpu_model: model, class: jobClass }: QueueItem['lane'], t: Translate): string {
  return `${modelName(model, t)} · ${t(CLASS_WORDS[jobClass])}`;
}

/** What a job of others is called that one may not read. */
export function jobName(item: Pick<QueueItem, 'name'>, t: Translate): string {
  return item.name ?? t('queue.someones');
}

/** How large a job is; its lane names the GPU model already, unless it accepts several. */
export function sizeInLane(item: QueueItem, t: Translate): string {
  return sizeOf(item.gpu_model === item.lane.gpu_model ? { ...item, gpu_model: null } : item, t);
}

/** The moment a job has been waiting from. */
export function waitingSince(item: Pick<QueueItem, 'queued_at' | 'created_at'>): string {
  return item.queued_at ?? item.created_at;
}

/** "at least 3 h of work (12 GPU-hours), 2 jobs without an estimate". */
export function workWords({ waiting, seconds, gpuHours, without }: Count, t: Translate): string {
  if (without === waiting) return t('queue.workUnknown');
  const gpus = gpuHours > 0 ? t('queue.workGpus', { hours: formatCount(Math.max(0.1, Math.round(gpuHours * 10) / 10)) }) : '';
  const time = formatDuration(seconds, t);
  return without > 0 ? t('queue.workAtLeast', { time, gpus, without }) : t('queue.work', { time, gpus });
}
