/** What administrators type about a project, and what is sent of it. */
import type { Project, ProjectEdit } from '@/api/rules/projects';
import { parseSize, writeSize } from '@/parts/quantities';

/** Amounts as they are typed; GPUs of single models together: `A100=8, H800=4`. */
export interface AmountsDraft {
  gpus: string;
  models: string;
  cpus: string;
  memory: string;
}

export interface RulesDraft {
  weight: string;
  guarantee: AmountsDraft;
  cap: AmountsDraft;
  reclaimable: boolean;
  open: boolean;
  cluster: string;
  /** All but the cluster: `org=public`, one a line. */
  labels: string;
  priorities: string[];
}

const CLUSTER = 'cluster';
const PLAIN = new Set(['gpus', 'cpus', 'memory']);

export function draftOf(project: Project): RulesDraft {
  const { [CLUSTER]: cluster = '', ...labels } = project.node_selector;
  return {
    weight: project.weight === null ? '' : String(project.weight),
    guarantee: amountsDraft(project.guarantee),
    cap: amountsDraft(project.cap),
    reclaimable: project.reclaimable,
    open: project.open,
    cluster,
    labels: Object.entries(labels)
      .map(([name, value]) => `${name}=${value}`)
      .join('\n'),
    priorities: project.priorities,
  };
}

function amountsDraft(amounts: Record<string, number>): AmountsDraft {
  const text = (name: string) => (amounts[name] === undefined ? '' : String(amounts[name]));
  return {
    gpus: text('gpus'),
    models: Object.entries(amounts)
      .filter(([name]) => !PLAIN.has(name))
      .map(([name, count]) => `${name}=${count}`)
      .join(', '),
    cpus: text('cpus'),
    memory: amounts.memory === undefined ? '' : writeSize(amounts.memory),
  };
}

export interface Read {
  change: ProjectEdit;
  /** Which texts mean nothing, by their place. */
  wrong: ReadonlySet<string>;
}

/** What is sent of `typed`; what was emptied is taken away. */
export function readDraft(draft: RulesDraft, typed: Partial<RulesDraft>): Read {
  const wrong = new Set<string>();
  const whole: ProjectEdit = {
    weight: draft.weight.trim() === '' ? null : readNumber(draft.weight, 'weight', wrong),
    guarantee: readAmounts(draft.guarantee, 'guarantee', wrong),
    cap: readAmounts(draft.cap, 'cap', wrong),
    reclaimable: draft.reclaimable,
    open: draft.open,
    node_selector: { ...readPairs(draft.labels, 'labels', wrong), ...(draft.cluster && { [CLUSTER]: draft.cluster }) },
    priorities: draft.priorities,
  };
  const named = new Set(Object.keys(typed).map((field) => (field === 'cluster' || field === 'labels' ? 'node_selector' : field)));
  return { change: Object.fromEntries(Object.entries(whole).filter(([field]) => named.has(field))), wrong };
}

function readAmounts(draft: AmountsDraft, place: string, wrong: Set<string>): Record<string, number> {
  const read: Record<string, number> = {};
  for (const name of ['gpus', 'cpus'] as const) if (draft[name].trim()) read[name] = readNumber(draft[name], `${place}.${name}`, wrong);
  if (draft.memory.trim()) {
    const bytes = parseSize(draft.memory);
    if (bytes === null) wrong.add(`${place}.memory`);
    else read.memory = bytes;
  }
  for (const [model, count] of Object.entries(readPairs(draft.models, `${place}.models`, wrong)))
    read[model] = readNumber(count, `${place}.models`, wrong);
  return read;
}

function readPairs(text: string, place: string, wrong: Set<string>): Record<string, string> {
  const pairs: Record<string, string> = {};
  for (const part of text
    .split(/[\n,]+/)
    .map((one) => one.trim())
    .filter(Boolean)) {
    const [, name, value] = /^([^=\s]+)\s*=\s*(.*)$/.exec(part) ?? [];
    if (name === undefined || value === undefined) wrong.add(place);
    else pairs[name] = value;
  }
  return pairs;
}

function readNumber(text: string, place: string, wrong: Set<string>): number {
  const number = Number(text.trim());
  if (!Number.isFinite(number) || number < 0 || text.trim() === '') wrong.add(place);
  return number;
}
