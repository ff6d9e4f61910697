/** Nodes and GPUs in words: for labels, cards and screen readers. */
import type { Node, NodeState, NodeTask } from '@/api/types';
import type { MessageKey, Translate } from '@/app/i18n';
import { formatCount, formatDuration, ranges } from '@/ui/format';

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

export function jobWords(task: NodeTask, t: Translate): string {
  return task.job_name ?? t('nodes.otherJob');
}

/** "GPU 0–3", or that the task has none. */
export function gpuWords(task: NodeTask, t: Translate): string {
  return task.gpus.length > 0 ? t('nodes.gpuNumbers', { numbers: ranges(task.gpus) }) : t('nodes.noGpus');
}

/** "6 of 8 A100 in use", or of a node without GPUs its CPUs. */
export function usedWords(node: Node, t: Translate): string {
  if (node.gpus.length === 0) return t('nodes.cpusUsed', { used: formatCount(node.used.cpus), total: formatCount(node.cpus) });
  return t('nodes.gpusUsed', { used: formatCount(node.used.gpus), total: node.gpus.length, model: node.gpu_model ?? t('size.gpu') });
}

/** The longest task in a few words, and how many more there are. */
export function taskWords(node: Node, now: number, t: Translate): string {
  const [first] = node.tasks.toSorted((a, b) => Date.parse(a.started_at ?? '') - Date.parse(b.started_at ?? ''));
  if (!first) return t('nodes.idle');
  const words = [`${first.owner}: ${jobWords(first, t)}`];
  if (first.started_at) words.push(formatDuration((now - Date.parse(first.started_at)) / 1000, t));
  if (node.tasks.length > 1) words.push(t('nodes.more', { count: node.tasks.length - 1 }));
  return words.join(' · ');
}

/** All that the picture of a node tells, as sentences. */
export function nodeWords(node: Node, now: number, t: Translate): string {
  const tasks = node.tasks.map((task) => {
    const words = [task.owner, jobWords(task, t)];
    if (task.started_at) words.push(formatDuration((now - Date.parse(task.started_at)) / 1000, t));
    return `${gpuWords(task, t)}: ${words.join(', ')}`;
  });
  return [`${node.name}, ${t(STATE_WORDS[node.state])}`, usedWords(node, t), ...tasks].join('. ');
}
