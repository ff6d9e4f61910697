/** For how long more may be given. */
import type { MessageKey } from '@/app/i18n';

export const LIVES = [
  { value: '1d', word: 'quota.days', count: 1 },
  { value: '3d', word: 'quota.days', count: 3 },
  { value: '7d', word: 'quota.days', count: 7 },
  { value: '14d', word: 'quota.days', count: 14 },
  { value: '30d', word: 'quota.days', count: 30 },
  { value: '90d', word: 'quota.days', count: 90 },
] as const satisfies readonly { value: string; word: MessageKey; count: number }[];
