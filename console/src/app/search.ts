/** Addresses people can read: plain `?state=running&state=queued`, no JSON in the query. */

export type SearchRecord = Record<string, string | string[]>;

export function parseSearch(query: string): SearchRecord {
  const result: SearchRecord = {};
  for (const [name, value] of new URLSearchParams(query)) {
    const seen = result[name];
    result[name] = seen === undefined ? value : [...(Array.isArray(seen) ? seen : [seen]), value];
  }
  return result;
}

export function stringifySearch(search: Record<string, unknown>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== undefined && item !== null && item !== '') params.append(name, String(item));
    }
  }
  const text = params.toString();
  return text === '' ? '' : `?${text}`;
}

/** One value of a parameter that may repeat. */
export function one(value: unknown): string | undefined {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return typeof first === 'string' && first !== '' ? first : undefined;
}

/** Those values that are among the allowed ones. */
export function allowed<T extends string>(value: unknown, choices: readonly T[]): T[] {
  const given: unknown[] = Array.isArray(value) ? value : [value];
  return choices.filter((choice) => given.includes(choice));
}
