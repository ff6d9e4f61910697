/** What the addresses of the volumes hold. */
import { allowed, one } from '@/app/search';

type Raw = Record<string, unknown>;

export const VOLUME_TABS = ['files', 'sharing', 'use', 'settings'] as const;
export type VolumeTab = (typeof VOLUME_TABS)[number];

export const MADE = ['filesystem', 'block', 'bucket', 'nfs'] as const;

export interface VolumesSearch {
  tab?: 'trash' | undefined;
  /** A new volume is wanted, and of which kind: what a job's form recommends. */
  make?: (typeof MADE)[number] | undefined;
}

export interface VolumeSearch {
  tab?: Exclude<VolumeTab, 'files'> | undefined;
  /** The folder that is shown, as the server spells it. */
  path?: string | undefined;
  /** The file in it that is looked into. */
  file?: string | undefined;
  /** What was deleted, in place of what is there. */
  trash?: 'on' | undefined;
}

export const volumesSearch = (raw: Raw): VolumesSearch => ({
  tab: allowed(raw.tab, ['trash'] as const)[0],
  make: allowed(raw.make, MADE)[0],
});

export const volumeSearch = (raw: Raw): VolumeSearch => ({
  tab: allowed(raw.tab, ['sharing', 'use', 'settings'] as const)[0],
  path: one(raw.path),
  file: one(raw.file),
  trash: allowed(raw.trash, ['on'] as const)[0],
});
