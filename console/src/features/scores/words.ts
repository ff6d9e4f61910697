/** Scores in words and figures. */
import type { Translate } from '@/app/i18n';

/** The model under which tasks without GPUs are counted, in CPUs. */
const CPU = 'cpu';

export function modelName(model: string, t: Translate): string {
  return model === CPU ? t('score.cpu') : model;
}

/** As precise as the queue compares them. */
export function formatScore(value: number): string {
  return value.toFixed(2);
}
