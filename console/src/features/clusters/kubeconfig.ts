/** A kubeconfig as it is pasted: which contexts it has, and one of them by itself. */
import { parse } from 'yaml';

export interface Contexts {
  names: string[];
  current: string | undefined;
}

type Entry = { name?: unknown } & Record<string, unknown>;

/** Null of a text that is no kubeconfig. */
export function contextsOf(text: string): Contexts | null {
  const whole = read(text);
  const names = entries(whole?.contexts)
    .map(({ name }) => name)
    .filter((name) => typeof name === 'string');
  if (!whole || names.length === 0) return null;
  const current = whole['current-context'];
  return { names, current: typeof current === 'string' && names.includes(current) ? current : names[0] };
}

/** Only what a context needs: other clusters' secrets stay where they are. A text that cannot be read goes as it is. */
export function onlyContext(text: string, context: string): string {
  const whole = read(text);
  const chosen = entries(whole?.contexts).find(({ name }) => name === context);
  if (!whole || !chosen) return text;
  const { cluster, user } = (chosen.context ?? {}) as Record<string, unknown>;
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': context,
    contexts: [chosen],
    clusters: entries(whole.clusters).filter(({ name }) => name === cluster),
    users: entries(whole.users).filter(({ name }) => name === user),
  });
}

function read(text: string): Record<string, unknown> | null {
  try {
    const whole: unknown = parse(text, { logLevel: 'silent' });
    return typeof whole === 'object' && whole !== null && !Array.isArray(whole) ? (whole as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

function entries(value: unknown): Entry[] {
  return Array.isArray(value) ? value.filter((one): one is Entry => typeof one === 'object' && one !== null) : [];
}
