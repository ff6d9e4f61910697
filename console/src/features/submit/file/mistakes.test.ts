import { beforeAll, describe, expect, it } from 'vitest';
import type { FieldError } from '@/api/problem';
import { translate as t, withWords } from '@/app/i18n';
import { certainMistakes, inOrder, isInside, merged, stillTrue } from './mistakes';

const error = (loc: FieldError['loc'], part: Partial<FieldError> = {}): FieldError => ({ loc, code: 'bad', message: 'wrong', ...part });
const places = (errors: FieldError[]) => errors.map(({ loc }) => loc.join('.'));

// As the pages where one writes a job do.
beforeAll(() => withWords('composing', async () => undefined));

describe('what is certain without asking', () => {
  it('is a name that is missing or malformed', () => {
    expect(certainMistakes({ kind: 'training', command: 'x' }, t)).toEqual([
      { loc: ['name'], code: 'missing', message: 'name is required' },
    ]);
    for (const name of ['abc', 'a b c d', 'x'.repeat(64), 'häs-umlaut']) {
      expect(certainMistakes({ kind: 'workspace', name }, t)[0]).toMatchObject({
        loc: ['name'],
        code: 'bad_form',
        message: expect.stringContaining('4–63'),
      });
    }
    expect(certainMistakes({ kind: 'workspace', name: 'abcd' }, t)).toEqual([]);
  });

  it('is a training job without a command, whole or in a role', () => {
    expect(places(certainMistakes({ kind: 'training', name: 'bert' }, t))).toEqual(['command']);
    expect(places(certainMistakes({ kind: 'training', name: 'bert', roles: [{ name: 'a', command: 'x' }, { name: 'b' }] }, t))).toEqual([
      'roles.1.command',
    ]);
    expect(places(certainMistakes({ kind: 'training', name: 'bert', roles: [{ name: 'a' }, { name: 'b' }] }, t))).toEqual(['command']);
    expect(certainMistakes({ kind: 'training', name: 'bert', command: ['python', 'x'], roles: [{}] }, t)).toEqual([]);
  });
});

describe('mistakes found a moment ago', () => {
  it('hold until something changes at their place', () => {
    const found = [error(['resources', 'gpus']), error(['nodes']), error(['topology', 'same'])];
    const checked = { nodes: 40, resources: { gpus: 9, cpus: 1 } };
    expect(places(stillTrue(found, checked, { nodes: 4, resources: { gpus: 9, cpus: 2 }, name: 'x' }))).toEqual([
      'resources.gpus',
      'topology.same',
    ]);
  });
});

describe('several mistakes', () => {
  it('are told once for each place, the surest first', () => {
    expect(merged([error(['name'], { message: 'first' })], [error(['name']), error(['nodes'])])).toMatchObject([
      { message: 'first' },
      { loc: ['nodes'] },
    ]);
  });

  it('are not told of the whole again', () => {
    expect(places(merged([error(['code'], { code: 'contradiction' }), error(['code', 'git'])]))).toEqual(['code.git']);
  });

  it('ask for one command, where each role lacks it', () => {
    const lacks = { code: 'missing' };
    expect(
      places(merged([error(['command'], lacks)], [error(['roles', 0, 'command'], lacks), error(['roles', 1, 'name'], lacks)])),
    ).toEqual(['command', 'roles.1.name']);
    expect(places(merged([error(['roles', 0, 'command'], lacks)]))).toEqual(['roles.0.command']);
  });

  it('come as the form goes, unknown keys last', () => {
    expect(places(inOrder([error(['xyz']), error(['env', 'LR']), error(['resources', 'gpus']), error(['name']), error(['kind'])]))).toEqual(
      ['kind', 'name', 'env.LR', 'resources.gpus', 'xyz'],
    );
  });

  it('know what they are part of', () => {
    expect(isInside(['roles', 1, 'name'], ['roles', 1])).toBe(true);
    expect(isInside(['roles'], ['roles', 1])).toBe(false);
    expect(isInside(['restarts'], ['resources'])).toBe(false);
  });
});
