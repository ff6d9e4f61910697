/** What jobs that are compared have in common, and what not. */
import type { JobDetail } from '@/api/jobs';

/** More lines than that nobody tells apart. */
export const MOST_COMPARED = 10;

export interface Parameter {
  /** As its place in the file: `env.LR`, `resources.gpus`. */
  name: string;
  /** One for each job; undefined where its file says nothing. */
  values: (string | undefined)[];
  differs: boolean;
}

/** Every value of their files but the name: those that differ first, each in the order of the files. */
export function parametersOf(jobs: Pick<JobDetail, 'spec'>[]): Parameter[] {
  const files = jobs.map(({ spec }) => new Map(flat(spec).filter(([name]) => name !== 'name')));
  const names = [...new Set(files.flatMap((file) => [...file.keys()]))];
  const all = names.map((name) => {
    const values = files.map((file) => file.get(name));
    return { name, values, differs: values.some((value) => value !== values[0]) };
  });
  return all.toSorted((a, b) => Number(b.differs) - Number(a.differs));
}

function flat(value: unknown, at = ''): [name: string, value: string][] {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return Object.entries(value).flatMap(([key, inner]) => flat(inner, at === '' ? key : `${at}.${key}`));
  return [[at, typeof value === 'string' ? value : Array.isArray(value) ? words(value) : JSON.stringify(value)]];
}

/** A command reads as one line; other lists as they are written. */
const words = (list: unknown[]): string => (list.every((item) => typeof item === 'string') ? list.join(' ') : JSON.stringify(list));
