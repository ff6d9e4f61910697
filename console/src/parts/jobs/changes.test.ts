import { describe, expect, it } from 'vitest';
import type { JobFile } from '@/api/jobs';
import { allowedChanges, changeInWords, changesFor, editsOf, moreMemory } from './changes';

const plain: JobFile = { name: 'bert', nodes: 4, min: 2, resources: { gpus: 8, gpu: 'A100', memory: '32GiB' } };
const role: JobFile = { name: 'bert', roles: [{ name: 'worker', replicas: 4, min: 2, resources: { gpus: 8 } }] };
const twoRoles: JobFile = {
  name: 'bert',
  resources: { memory: '2GiB' },
  roles: [{ name: 'ps' }, { name: 'worker', resources: { memory: '32GiB' } }],
};

describe('changes in an address', () => {
  it('are let in only where they are of a kind that we know', () => {
    expect(
      allowedChanges([
        'resources.memory:64GiB',
        'nodes:2',
        'node_selector:',
        'roles.1.resources.gpus:4',
        'project:nlp',
        'flavor:a100-1',
        'resources:',
        'max_time:4h45m',
      ]),
    ).toHaveLength(8);
    expect(allowedChanges('resources.gpu:A100|H100')).toEqual(['resources.gpu:A100|H100']);
    for (const bad of [
      'command:rm -rf /',
      'resources.memory:lots',
      'nodes:0',
      'max_time:soon',
      'nodes:',
      'env.X:1',
      'project:a\nb',
      '__proto__.x:1',
      'nodes',
      ':1',
      4,
      undefined,
    ]) {
      expect(allowedChanges(bad)).toBeUndefined();
    }
  });

  it('become edits of the file', () => {
    expect(editsOf(['resources.memory:64GiB', 'roles.1.resources.gpus:4', 'node_selector:'])).toEqual([
      { path: ['resources', 'memory'], value: '64GiB' },
      { path: ['roles', 1, 'resources', 'gpus'], value: 4 },
      { path: ['node_selector'], value: undefined },
    ]);
  });

  it('are told in words', () => {
    expect(['nodes:2', 'node_selector:'].map((change) => changeInWords(change, (path) => `no ${path}`))).toEqual([
      'nodes: 2',
      'no node_selector',
    ]);
  });
});

describe('what would help', () => {
  it.each([
    ['gpus', '4', plain, ['resources.gpus:4']],
    ['gpu', 'H100', plain, ['resources.gpu:H100']],
    ['tasks', '2', plain, ['nodes:2', 'min:']],
    ['project', 'public', plain, ['project:public']],
    ['node_selector', '', plain, ['node_selector:']],
    ['topology', '', plain, ['topology.same:']],
    ['gpus', '4', role, ['roles.0.resources.gpus:4']],
    ['tasks', '2', role, ['roles.0.replicas:2', 'roles.0.min:']],
    ['gpus', '4', twoRoles, []],
    ['gpus', '4', { flavor: 'a100-8' }, []],
    ['levitation', '1', plain, []],
  ])('by %s %s is a change of the file', (change, value, file, changes) => {
    expect(changesFor({ change, value } as never, file)).toEqual(changes);
    expect(allowedChanges(changes) ?? []).toEqual(changes);
  });

  it('by memory is twice what the task had', () => {
    expect(moreMemory(plain, 'worker')).toEqual(['resources.memory:64GiB']);
    expect(moreMemory(twoRoles, 'worker')).toEqual(['roles.1.resources.memory:64GiB']);
    expect(moreMemory(twoRoles, 'ps')).toEqual(['resources.memory:4GiB']);
    expect(moreMemory({ name: 'bert' }, 'worker')).toEqual(['resources.memory:4GiB']);
    expect(moreMemory({ flavor: 'a100-1' }, 'worker')).toEqual([]);
  });
});
