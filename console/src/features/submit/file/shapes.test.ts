import { describe, expect, it } from 'vitest';
import type { JobFile } from '@/api/jobs';
import { parseJobFile, toYaml } from '@/parts/jobs/job-file';
import { editFile } from '@/parts/jobs/job-file-edit';
import type { Edit } from '@/parts/jobs/job-file-edit';
import { translate } from '@/app/i18n';
import { rekind, reshape, shapeOf, SHAPES, shelve } from './shapes';
import type { Shelf } from './shapes';

const after = (file: JobFile, edits: Edit[]): JobFile => parseJobFile(editFile(toYaml(file), edits), translate).file ?? {};
const single: JobFile = { kind: 'training', name: 'bert', command: 'python train.py', resources: { gpus: 4, gpu: 'A100' } };

describe('the shape of a job', () => {
  it('is read from nodes and roles', () => {
    expect(shapeOf(single)).toBe('single');
    expect(shapeOf({ ...single, nodes: 1 })).toBe('single');
    expect(shapeOf({ ...single, nodes: 3 })).toBe('several');
    expect(shapeOf({ ...single, nodes: 'x' })).toBe('several');
    expect(shapeOf({ ...single, nodes: 'auto' })).toBe('total');
    expect(shapeOf({ ...single, roles: [] })).toBe('roles');
  });

  it('becomes each of the others', () => {
    for (const from of SHAPES) {
      for (const to of SHAPES) {
        const begun = after(single, reshape(single, from));
        expect(shapeOf(after(begun, reshape(begun, to))), `${from} → ${to}`).toBe(to);
      }
    }
  });

  it('changes nothing where it is already so', () => {
    expect(reshape(single, 'single')).toEqual([]);
  });

  it('counts all GPUs in a total, and parts of it in several', () => {
    const several = after(single, reshape(single, 'several'));
    expect(several.nodes).toBe(2);
    const total = after(several, reshape(several, 'total'));
    expect(total).toMatchObject({ nodes: 'auto', resources: { gpus: 8, gpu: 'A100' } });
    expect(after(total, reshape(total, 'several'))).toMatchObject({ nodes: 2, resources: { gpus: 4 } });
  });

  it('gives a total whole GPUs', () => {
    const half = { ...single, resources: { gpus: 0.5 } };
    expect(after(half, reshape(half, 'total')).resources).toEqual({ gpus: 2 });
  });

  it('has as many tasks in roles as it had machines', () => {
    const four = { ...single, nodes: 4, min: 2 };
    expect(after(four, reshape(four, 'roles'))).toMatchObject({ roles: [{ name: 'master' }, { name: 'worker', replicas: 3 }] });
    expect(after(four, reshape(four, 'roles'))).not.toHaveProperty('min');
  });

  it('takes the command and size of a role along, where the job has none', () => {
    const roles = {
      kind: 'training',
      name: 'bert',
      roles: [
        { name: 'ps', command: 'a' },
        { name: 'worker', command: 'b', resources: { gpus: 2 } },
      ],
    };
    expect(after(roles, reshape(roles, 'single'))).toEqual({ kind: 'training', name: 'bert', command: 'b', resources: { gpus: 2 } });
  });

  it('brings back what was put away', () => {
    const roles = {
      ...single,
      roles: [
        { name: 'ps', replicas: 2 },
        { name: 'worker', replicas: 6 },
      ],
    };
    const shelf: Shelf = shelve(roles, {});
    const back = after(roles, reshape(roles, 'single', shelf));
    expect(after(back, reshape(back, 'roles', shelf)).roles).toEqual(roles.roles);
  });
});

describe('a workspace', () => {
  it('is one machine', () => {
    expect(after({ ...single, nodes: 3 }, rekind({ ...single, nodes: 3 }, 'workspace'))).toEqual({ ...single, kind: 'workspace' });
  });

  it('becomes a training job without further changes', () => {
    expect(rekind({ kind: 'workspace' }, 'training')).toEqual([{ path: ['kind'], value: 'training' }]);
  });
});
