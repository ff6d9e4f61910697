/** All features behind the sign-in: each folder's `manifest.ts`. */
import type { Features } from '@/app/feature';

export const FEATURES = Object.values(import.meta.glob<Features[keyof Features]>('./*/manifest.ts', { eager: true, import: 'default' }));
