/** The sections of the form, from top to bottom, and the keys of the job file that each speaks of. */

export const SECTIONS = ['basics', 'run', 'size', 'where', 'trouble'] as const;
export type SectionName = (typeof SECTIONS)[number];

export const SECTION_KEYS: Record<SectionName, string[]> = {
  basics: ['kind', 'name', 'project', 'description'],
  run: ['framework', 'strategy', 'command', 'code', 'image', 'packages', 'env', 'mounts', 'inputs', 'outputs', 'apps'],
  size: ['nodes', 'roles', 'min', 'processes', 'flavor', 'resources'],
  where: ['priority', 'justification', 'expected_time', 'max_time', 'node_selector', 'topology', 'preemptible', 'network'],
  trouble: ['on', 'restarts', 'backoff', 'hang_after', 'checkpoint'],
};

const IN_ORDER = SECTIONS.flatMap((name) => SECTION_KEYS[name]);

/** Where a key stands in the form; what the form does not know comes last. */
export function placeInForm(key: unknown): number {
  const place = IN_ORDER.indexOf(String(key));
  return place === -1 ? IN_ORDER.length : place;
}
