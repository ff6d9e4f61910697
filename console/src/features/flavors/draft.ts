/** What is typed about a flavor, and what is sent of it. */
import type { Flavor, FlavorCreate, JobClass } from '@/api/rules/flavors';
import { parseSize } from '@/parts/quantities';
import { formatBytes, formatCount } from '@/ui/words/format';

export interface Draft {
  name: string;
  gpus: string;
  gpu: string;
  cpus: string;
  memory: string;
  shm: string;
  rdma: boolean;
  classes: JobClass[];
  description: string;
}

export const FRESH: Draft = { name: '', gpus: '0', gpu: '', cpus: '1', memory: '2GiB', shm: '', rdma: false, classes: [], description: '' };

export function draftOf({ name, resources: { gpus, gpu, cpus, memory, shm, rdma }, classes, description }: Flavor): Draft {
  return {
    name,
    gpus: formatCount(gpus),
    gpu: gpu ?? '',
    cpus: formatCount(cpus),
    memory,
    shm: isNothing(shm) ? '' : shm,
    rdma,
    classes: [...classes],
    description,
  };
}

/** What is no number goes as it is: the server says what is wrong with it. */
export function toSend(draft: Draft): FlavorCreate {
  const { name, gpus, gpu, cpus, memory, shm, rdma, classes, description } = draft;
  const resources = {
    cpus: number(cpus),
    memory: sized(memory),
    gpus: number(gpus),
    shm: sized(shm) || '0B',
    rdma,
    ...(gpu.trim() && { gpu: gpu.trim() }),
  };
  return { name: name.trim(), resources: resources as FlavorCreate['resources'], classes, description: description.trim() };
}

/** "8 × A100", "0.5 × A100", or nothing. */
export function cardsOf({ resources: { gpus, gpu } }: Flavor, anyModel: string): string {
  return gpus > 0 ? `${formatCount(gpus)} × ${gpu ?? anyModel}` : '–';
}

export const sizeWords = (text: string): string => (isNothing(text) ? '–' : formatBytes(parseSize(text) ?? 0));

/** Words that all must be found in what it is called, what it is made of, or what is said of it. */
export function matching(flavors: readonly Flavor[], search: string | undefined): Flavor[] {
  const words = search?.toLowerCase().split(/\s+/).filter(Boolean) ?? [];
  return flavors.filter(({ name, resources, classes, description }) => {
    const text = [name, resources.gpu ?? '', ...classes, description].join('\n').toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

const isNothing = (size: string): boolean => (parseSize(size) ?? 0) === 0;
const number = (text: string): number | string => (text.trim() === '' ? 0 : Number.isNaN(Number(text)) ? text : Number(text));
/** A bare number of bytes is nobody's wish: it means GiB. */
const sized = (text: string): string => (/^\d+(\.\d+)?$/.test(text.trim()) && Number(text) > 0 ? `${text.trim()}GiB` : text.trim());
