/** The keys of a job file, in the order in which people like to read them. */
export const KEY_ORDER: readonly string[] = [
  'kind', 'name', 'project', 'description', 'framework', 'strategy', 'processes', 'image', 'code', 'command', 'nodes', 'min', 'flavor', 'resources', 'roles',
  'mounts', 'env', 'priority', 'justification', 'node_selector', 'topology', 'expected_time', 'max_time', 'checkpoint', 'on', 'restarts', 'backoff', 'hang_after', 'preemptible', 'apps',
];
