/** Frameworks as the server tells of them, for tests. */
import type { Framework, RoleShape, Strategy } from '@/api/frameworks';

const words = (text: string) => ({ en: text, zh: `${text}（中文）` });

export function shape(name: string, more: Partial<RoleShape> = {}): RoleShape {
  return { name, about: words(`what ${name} does`), least: 1, most: null, gpus: true, serves: false, one_for: null, usual: null, ...more };
}

export function strategy(name: string, roles: RoleShape[], more: Partial<Strategy> = {}): Strategy {
  return {
    name,
    label: words(name),
    about: words(`about ${name}`),
    elastic: false,
    processes: false,
    on: {},
    restarts: 3,
    hang_after: '1h',
    roles,
    variables: [],
    ...more,
  };
}

const worker = shape('worker', { usual: words('one per machine is usual') });
const ps = shape('ps', { gpus: false, serves: true, one_for: 4, usual: words('one for every 4 workers is usual') });

export const plain: Framework = {
  name: 'none',
  label: words('None'),
  about: words('Any command.'),
  strategies: [strategy('', [worker], { restarts: 0, hang_after: null })],
};

export const pytorch: Framework = {
  name: 'pytorch',
  label: words('PyTorch'),
  about: words('torchrun starts one process per GPU.'),
  strategies: [
    strategy('all-reduce', [shape('master', { least: 0, most: 1 }), worker], {
      processes: true,
      on: { node_lost: 'requeue', hung: 'restart_job' },
    }),
    strategy('elastic', [worker], { processes: true, elastic: true, on: { node_lost: 'ignore', task_failed: 'ignore' } }),
  ],
};

export const tensorflow: Framework = {
  name: 'tensorflow',
  label: words('TensorFlow'),
  about: words('Every task gets a TF_CONFIG.'),
  strategies: [
    strategy('all-reduce', [shape('chief', { least: 0, most: 1 }), worker, shape('evaluator', { least: 0, most: 1, serves: true })]),
    strategy('ps', [
      shape('chief', { most: 1, gpus: false }),
      ps,
      shape('worker', { serves: true }),
      shape('evaluator', { least: 0, most: 1, serves: true }),
    ]),
  ],
};

export const frameworks: Framework[] = [plain, pytorch, tensorflow];
