/** What the address of the resource panel holds. */
import { allowed, one } from '@/app/search';

export const SCOPES = ['all', 'mine'] as const;
export type Scope = (typeof SCOPES)[number];
const CLASSES = ['workspace', 'single', 'distributed', 'service'] as const;

export interface PanelSearch {
  scope?: Scope | undefined;
  /** Whose trends. */
  project?: string | undefined;
  user?: string | undefined;
  class?: (typeof CLASSES)[number] | undefined;
  model?: string | undefined;
}

export function panelSearch(raw: Record<string, unknown>): PanelSearch {
  return {
    scope: allowed(raw.scope, SCOPES)[0],
    project: one(raw.project),
    user: one(raw.user),
    class: allowed(raw.class, CLASSES)[0],
    model: one(raw.model),
  };
}
