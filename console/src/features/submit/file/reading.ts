/** Reading a job file that a person wrote: whatever stands there, the form gets something it can show. */
import type { JobFile } from '@/api/jobs';
import type { Path } from '@/parts/jobs/job-file-edit';

export function valueAt(file: unknown, path: Path): unknown {
  let value = file;
  for (const part of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Record<string | number, unknown>)[part];
  }
  return value;
}

/** What an input shows; lists and mappings are not for one line. */
export function textOf(value: unknown): string {
  return value === null || value === undefined || typeof value === 'object' ? '' : String(value);
}

export function textAt(file: unknown, path: Path): string {
  return textOf(valueAt(file, path));
}

export function entriesAt(file: unknown, path: Path): [name: string, value: unknown][] {
  const value = valueAt(file, path);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
}

export function rolesOf(file: JobFile): unknown[] {
  return Array.isArray(file.roles) ? file.roles : [];
}

export function mountsOf(file: JobFile): unknown[] {
  return Array.isArray(file.mounts) ? file.mounts : [];
}

export function inputsOf(file: JobFile): unknown[] {
  return Array.isArray(file.inputs) ? file.inputs : [];
}

export function outputsOf(file: JobFile): unknown[] {
  return Array.isArray(file.outputs) ? file.outputs : [];
}

export function isWorkspace(file: JobFile): boolean {
  return file.kind === 'workspace';
}

/** How many tasks, as far as the file says; with `nodes: auto` there may be one for each GPU. */
export function taskCount(file: JobFile): number {
  if (Array.isArray(file.roles)) return file.roles.reduce<number>((sum, role) => sum + whole(valueAt(role, ['replicas'])), 0);
  return whole(file.nodes === 'auto' ? valueAt(file, ['resources', 'gpus']) : file.nodes);
}

function whole(value: unknown): number {
  return typeof value === 'number' && value >= 1 ? Math.floor(value) : 1;
}

export type JobClass = 'workspace' | 'single' | 'distributed';

/** What flavors and pools speak of. */
export function classOf(file: JobFile): JobClass {
  if (isWorkspace(file)) return 'workspace';
  return taskCount(file) === 1 && file.nodes !== 'auto' ? 'single' : 'distributed';
}

/** GPU models that will do: `A100|H100`; none means any. */
export function modelsIn(gpu: unknown): string[] {
  return textOf(gpu)
    .split('|')
    .map((model) => model.trim())
    .filter((model) => model !== '');
}
