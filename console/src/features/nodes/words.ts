/** Nodes and GPUs in words: for labels, cards and screen readers. */
import type { Node, NodeState, NodeTask } from '@/api/nodes';
import type { MessageKey, Translate } from '@/app/i18n';
import { pollWithoutLive } from '@/app/queries';
import { formatAgo, formatBytes, formatCount, formatDuration, ranges } from '@/ui/words/format';

/** As often as nodes are measured. */
const MEASURED_MS = 15_000;

export const STATE_WORDS: Record<NodeState, MessageKey> = {
  ready: 'node.ready',
  occupied: 'node.occupied',
  cordoned: 'node.cordoned',
  unreachable: 'node.unreachable',
  off: 'node.off',
};

export const STATE_MEANINGS: Record<NodeState, MessageKey> = {
  ready: 'nodes.readyText',
  occupied: 'nodes.occupiedText',
  cordoned: 'nodes.cordonedText',
  unreachable: 'nodes.unreachableText',
  off: 'nodes.offText',
};

export const FORM_WORDS: Record<NonNullable<Node['isolation']>['form'], MessageKey> = {
  sandbox: 'nodes.form.sandbox',
  process: 'nodes.form.process',
  blocked: 'nodes.form.blocked',
  pod: 'nodes.form.pod',
  simulated: 'nodes.form.simulated',
};

export function jobWords(task: NodeTask, t: Translate): string {
  return task.job_name ?? t('nodes.otherJob');
}

/** "GPU 0–3", or that the task has none. */
export function gpuWords(task: NodeTask, t: Translate): string {
  return task.gpus.length > 0 ? t('nodes.gpuNumbers', { numbers: ranges(task.gpus) }) : t('nodes.noGpus');
}

/** "6 of 8 A100 allocated", or of a node without GPUs its CPUs. */
export function usedWords(node: Node, t: Translate): string {
  if (node.gpus.length === 0) return t('nodes.cpusUsed', { used: formatCount(node.used.cpus), total: formatCount(node.cpus) });
  const ours = t('nodes.gpusUsed', { used: formatCount(node.used.gpus), total: node.gpus.length, model: node.gpu_model ?? t('size.gpu') });
  return withOthers(ours, node.foreign.gpus, formatCount, t);
}

/** What Danlu gave out, and what others hold besides. */
export function withOthers(ours: string, others: number, words: (value: number) => string, t: Translate): string {
  return others > 0 ? `${ours} · ${t('nodes.others', { amount: words(others) })}` : ours;
}

export const rateWords = ({ received, sent }: NonNullable<Node['network']>, t: Translate): string =>
  t('nodes.networkRates', { received: formatBytes(received), sent: formatBytes(sent) });

/** `refetchInterval` of nodes: what the network carries is no event, so that it is asked for where it is measured. */
export function pollMeasured({ state: { data } }: { state: { data?: Node | Node[] } }): number | false {
  const nodes = data === undefined ? [] : [data].flat();
  return nodes.some(({ network }) => network) ? MEASURED_MS : pollWithoutLive();
}

/** "1 MiB/s in · 2 MiB/s out", and where the figures are the whole machine's, that they are; a dash where nobody measures. */
export function networkWords({ network }: Node, t: Translate): string {
  if (!network) return '–';
  const rates = rateWords(network, t);
  return network.shared ? t('nodes.networkShared', { rates }) : rates;
}

/** The task that has been there the longest. */
export function longestTask({ tasks }: Node): NodeTask | undefined {
  return tasks.toSorted((a, b) => Date.parse(a.started_at ?? '') - Date.parse(b.started_at ?? ''))[0];
}

/** All that the picture of a node tells, as sentences. */
export function nodeWords(node: Node, now: number, t: Translate): string {
  const tasks = node.tasks.map((task) => {
    const words = [task.owner, jobWords(task, t)];
    if (task.started_at) words.push(formatDuration((now - Date.parse(task.started_at)) / 1000, t));
    return `${gpuWords(task, t)}: ${words.join(', ')}`;
  });
  const closing = node.drain_by ?? node.closes_at;
  const ahead = closing ? [`${t(node.drain_by ? 'nodes.emptyBy' : 'nodes.closesAt')} ${formatAgo(Date.parse(closing), now, t)}`] : [];
  return [`${node.name}, ${t(STATE_WORDS[node.state])}`, usedWords(node, t), ...ahead, ...tasks].join('. ');
}
