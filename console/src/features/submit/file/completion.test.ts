import { describe, expect, it } from 'vitest';
import { frameworks } from '@/testing/frameworks';
import { offering, suggest } from './completion';
import type { JsonSchema } from './completion';

const schema: JsonSchema = {
  properties: {
    kind: { enum: ['training', 'workspace'] },
    name: { type: 'string', description: 'Unique name. More words.' },
    preemptible: { type: 'boolean' },
    resources: { anyOf: [{ $ref: '#/$defs/Resources' }, { type: 'null' }] },
    roles: { items: { $ref: '#/$defs/Role' } },
  },
  $defs: {
    Resources: { properties: { cpus: { type: 'number' }, gpus: { type: 'number' } } },
    Role: { properties: { name: { type: 'string' }, replicas: { type: 'integer' }, resources: { $ref: '#/$defs/Resources' } } },
  },
};

/** The caret stands at the bar. */
function labels(text: string): string[] {
  const position = text.indexOf('|');
  return (suggest(text.replace('|', ''), position, schema)?.options ?? []).map((option) => option.label);
}

describe('completion', () => {
  it('offers the keys that are not there yet', () => {
    expect(labels('kind: training\n|')).toEqual(['name', 'preemptible', 'resources', 'roles']);
  });

  it('offers the values of an enumeration and of a switch', () => {
    expect(labels('kind: |')).toEqual(['training', 'workspace']);
    expect(labels('preemptible: t|')).toEqual(['true', 'false']);
  });

  it('goes into nested blocks', () => {
    expect(labels('resources:\n  |')).toEqual(['cpus', 'gpus']);
    expect(labels('resources:\n  cpus: 8\n  g|')).toEqual(['gpus']);
  });

  it('goes into the items of a list', () => {
    expect(labels('roles:\n  - |')).toEqual(['name', 'replicas', 'resources']);
    expect(labels('roles:\n  - name: ps\n    |')).toEqual(['replicas', 'resources']);
    expect(labels('roles:\n  - name: ps\n    resources:\n      |')).toEqual(['cpus', 'gpus']);
    expect(labels('roles:\n- name: ps\n  r|')).toEqual(['replicas', 'resources']);
  });

  it('offers nothing where it knows nothing', () => {
    expect(labels('name: ber|')).toEqual([]);
    expect(labels('unknown:\n  |')).toEqual([]);
  });

  it('says briefly what a key is for', () => {
    expect(suggest('na', 2, schema)?.options.find((option) => option.label === 'name')).toMatchObject({
      apply: 'name: ',
      detail: 'Unique name',
    });
  });

  it('offers the keys and values of a mapping with names of its own', () => {
    const on: JsonSchema = {
      properties: { on: { propertyNames: { $ref: '#/$defs/Trouble' }, additionalProperties: { $ref: '#/$defs/Remedy' } } },
      $defs: { Trouble: { enum: ['hung', 'evicted'] }, Remedy: { enum: ['fail', 'requeue'] } },
    };
    const words = (text: string) => (suggest(text, text.length, on)?.options ?? []).map((option) => option.label);
    expect(words('on:\n  hung: fail\n  ')).toEqual(['evicted']);
    expect(words('on:\n  hung: ')).toEqual(['fail', 'requeue']);
  });

  it('offers the frameworks of this server, and of the one that is named its strategies and roles', () => {
    const job: JsonSchema = {
      properties: { framework: { type: 'string' }, strategy: { type: 'string' }, roles: { items: { $ref: '#/$defs/RolePart' } } },
      $defs: { RolePart: { properties: { name: { type: 'string' } } } },
    };
    const words = (text: string) =>
      (suggest(text, text.length, offering(job, frameworks, text))?.options ?? []).map((option) => option.label);
    expect(words('framework: ')).toEqual(['none', 'pytorch', 'tensorflow']);
    expect(words('framework: pytorch\nstrategy: ')).toEqual(['all-reduce', 'elastic']);
    expect(words('framework: tensorflow\nstrategy: ps\nroles:\n  - name: ')).toEqual(['chief', 'ps', 'worker', 'evaluator']);
    expect(words('roles:\n  - name: ')).toEqual([]);
  });
});
