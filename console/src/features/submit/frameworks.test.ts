import { beforeAll, describe, expect, it } from 'vitest';
import type { Framework } from '@/api/frameworks';
import type { JobFile } from '@/api/jobs';
import { translate, withWords } from '@/app/i18n';
import { parseJobFile, toYaml } from '@/parts/jobs/job-file';
import { editFile } from '@/parts/jobs/job-file-edit';
import { frameworks, plain, pytorch, tensorflow } from '@/testing/frameworks';
import { beyondBounds } from './file/mistakes';
import { missingRoles, NOTHING_KEPT, retrain, strategyOf } from './frameworks';
import type { Kept } from './frameworks';

beforeAll(() => withWords('composing', async () => undefined));

const single: JobFile = { kind: 'training', name: 'bert', command: 'python train.py', resources: { gpus: 4 } };

const wrong = (roles: unknown[]) =>
  beyondBounds({ ...single, framework: 'tensorflow', strategy: 'ps', roles }, frameworks, translate, ({ en }) => en);

function switched(file: JobFile, framework: Framework, strategy = '', kept: Kept = NOTHING_KEPT): { file: JobFile; kept: Kept } {
  const made = retrain(file, { framework, strategy }, frameworks, kept);
  return { file: parseJobFile(editFile(toYaml(file), made.edits), translate).file ?? {}, kept: made.kept };
}

describe('another framework', () => {
  it('is written with its usual strategy left out, and none leaves nothing behind', () => {
    const { file } = switched(single, pytorch);
    expect(file).toEqual({ ...single, framework: 'pytorch' });
    expect(strategyOf(file, frameworks)?.name).toBe('all-reduce');
    expect(switched(file, plain).file).toEqual(single);
  });

  it('has as many tasks at work as before', () => {
    const four = { ...single, nodes: 4 };
    expect(switched(four, tensorflow, 'ps').file).toMatchObject({
      framework: 'tensorflow',
      strategy: 'ps',
      roles: [
        { name: 'chief', resources: { cpus: 2, memory: '4GiB' } },
        { name: 'ps', resources: { cpus: 2 } },
        { name: 'worker', replicas: 4 },
      ],
    });
    const led = { ...single, roles: [{ name: 'master' }, { name: 'worker', replicas: 3 }] };
    expect(switched({ ...led, framework: 'pytorch' }, pytorch, 'elastic').file).toMatchObject({ nodes: 4, min: 1, strategy: 'elastic' });
    expect(switched({ ...led, framework: 'pytorch' }, tensorflow).file.roles).toEqual([{ name: 'chief' }, { name: 'worker', replicas: 3 }]);
  });

  it('brings as many servers as are usual', () => {
    const { roles } = switched({ ...single, nodes: 9 }, tensorflow, 'ps').file as { roles: { name: string; replicas?: number }[] };
    expect(roles.find(({ name }) => name === 'ps')?.replicas).toBe(3);
  });

  it('gives a role without GPUs no size of its own where the job asks for none', () => {
    const { roles } = switched({ ...single, resources: { cpus: 1 } }, tensorflow, 'ps').file as { roles: object[] };
    expect(roles).toEqual([{ name: 'chief' }, { name: 'ps' }, { name: 'worker' }]);
  });

  it('loses nothing that was typed', () => {
    const roles = [
      { name: 'chief', command: 'a' },
      { name: 'ps', replicas: 2, resources: { cpus: 8 } },
      { name: 'worker', replicas: 6, env: { A: '1' } },
    ];
    const there = switched({ ...single, framework: 'tensorflow', strategy: 'ps', roles }, pytorch);
    expect(there.file.roles).toEqual([
      { name: 'master', command: 'a' },
      { name: 'worker', replicas: 5, env: { A: '1' } },
    ]);
    const back = switched(there.file, tensorflow, 'ps', there.kept);
    expect(back.file.roles).toEqual([
      { name: 'chief', command: 'a' },
      { name: 'ps', replicas: 2, resources: { cpus: 8 } },
      { name: 'worker', replicas: 6, env: { A: '1' } },
    ]);
  });

  it('keeps a total divided by Danlu where the strategy can have one', () => {
    const total = { ...single, nodes: 'auto' };
    expect(switched(total, pytorch).file.nodes).toBe('auto');
    expect(switched(total, pytorch, 'elastic').file.nodes).toBe(2);
  });

  it('puts away how few may go on and how many processes there are, until they mean something again', () => {
    const elastic = { ...single, framework: 'pytorch', strategy: 'elastic', nodes: 4, min: 2, processes: 8 };
    const away = switched(elastic, tensorflow);
    expect(away.file).toEqual({ ...single, framework: 'tensorflow', nodes: 4 });
    expect(switched(away.file, pytorch, 'elastic', away.kept).file).toEqual(elastic);
  });

  it('offers the roles that the strategy has and the file has not', () => {
    const file = { ...single, framework: 'pytorch', roles: [{ name: 'worker' }] };
    expect(missingRoles(file, pytorch.strategies[0]!).map(({ name }) => name)).toEqual(['master']);
  });
});

describe('the bounds of roles', () => {
  it('are known before the server answers, in its words', () => {
    expect(wrong([{ name: 'chief' }, { name: 'ps', replicas: 0 }, { name: 'worker', replicas: 4 }])).toMatchObject([
      {
        loc: ['roles', 1, 'replicas'],
        code: 'out_of_range',
        message: 'ps: 1–4, one for every 4 workers is usual; you asked for 0',
        bound: 1,
      },
    ]);
    expect(wrong([{ name: 'chief', replicas: 2 }, { name: 'ps' }, { name: 'worker' }])).toMatchObject([
      { message: 'chief: 1; you asked for 2', bound: 1 },
    ]);
    expect(wrong([{ name: 'chief' }, { name: 'ps' }, { name: 'worker', replicas: 0 }])[0]?.message).toBe(
      'worker: at least 1; you asked for 0',
    );
  });

  it('are nothing to a role that is not known, or a number that is none', () => {
    expect(
      wrong([
        { name: 'reader', replicas: 0 },
        { name: 'ps', replicas: 'x' },
        { name: 'worker', replicas: 4 },
      ]),
    ).toEqual([]);
    expect(beyondBounds({ ...single, roles: [{ name: 'worker', replicas: 0 }] }, frameworks, translate, ({ en }) => en)).toEqual([]);
  });
});
