/** What is said of a job's attempts. */
import type { Saved } from '@/api/jobs';
import type { Translate } from '@/app/i18n';
import { trim } from '@/ui/words/format';

/** Work that is gone, in the unit that suits it; nothing where nothing is. */
export function workLost(gpuSeconds: number, t: Translate): string | null {
  if (gpuSeconds <= 0) return null;
  if (gpuSeconds < 60) return t('attempts.lostLittle');
  if (gpuSeconds < 3600) return t('attempts.lostMinutes', { count: trim(gpuSeconds / 60) });
  return t('attempts.lostHours', { count: trim(gpuSeconds / 3600) });
}

/** How far a checkpoint is; those who saved it did not have to say. */
export const stepOf = ({ step }: Saved, locale: string, t: Translate): string =>
  step === null ? t('attempts.someStep') : t('attempts.step', { step: step.toLocaleString(locale) });
