import { describe, expect, it } from 'vitest';
import { parseDocument } from 'yaml';
import { editFile } from './job-file-edit';
import type { Edit } from './job-file-edit';

const FILE = `# What this is for.

kind:   training   # note
name: bert
command: |
  python train.py
  # part of the command

# About the size.
resources: {cpus: 8, memory: 64GiB} # small
env:
    # the learning rate
    LR: "0.1"
    EPOCHS: '3'
    # SEED: "1"
strange_key: {a:   [1,2]}
max_time:   10m
`;

const read = (text: string): Record<string, unknown> => parseDocument(text).toJS() as Record<string, unknown>;
/** What differs, line by line, when nothing was moved. */
const changedLines = (before: string, after: string) => after.split('\n').filter((line) => !before.split('\n').includes(line));

describe('an edit', () => {
  it('touches the line of its key and nothing else', () => {
    const after = editFile(FILE, [{ path: ['name'], value: 'gpt' }]);
    expect(changedLines(FILE, after)).toEqual(['name: gpt']);
    expect(after.split('\n')).toHaveLength(FILE.split('\n').length);
  });

  it('keeps the style and the comment of a mapping it adds to', () => {
    expect(changedLines(FILE, editFile(FILE, [{ path: ['resources', 'gpus'], value: 2 }]))).toEqual([
      'resources: {cpus: 8, memory: 64GiB, gpus: 2} # small',
    ]);
  });

  it('keeps quotes that someone chose, and those that are needed', () => {
    const text = `a: 'one'\nb: "two" # why\nc: "3"\nd: ""\n`;
    const set = (key: string, value: string) => editFile(text, [{ path: [key], value }]);
    expect(set('a', 'x')).toContain("a: 'x'\n");
    expect(set('b', 'x')).toContain('b: "x" # why\n');
    expect(set('c', '4')).toContain('c: "4"\n');
    expect(set('c', 'x')).toContain('c: x\n');
    expect(set('d', 'x')).toContain('d: x\n');
  });

  it('keeps the comments inside a block', () => {
    const after = editFile(FILE, [{ path: ['env', 'LR'], value: '0.2' }]);
    expect(after).toContain('# the learning rate');
    expect(after).toContain('# SEED: "1"');
  });

  it('writes what YAML would take for something else in quotes', () => {
    expect(read(editFile(FILE, [{ path: ['env', 'SEED'], value: '7' }])).env).toEqual({ LR: '0.1', EPOCHS: '3', SEED: '7' });
  });

  it('writes several lines as a block, and one line as a line', () => {
    expect(editFile(FILE, [{ path: ['command'], value: 'a\n\n  b\n' }])).toContain('command: |\n  a\n\n    b\n\n# About');
    expect(editFile(FILE, [{ path: ['command'], value: 'sleep 1' }])).toContain('command: sleep 1\n\n# About');
  });

  it('puts a new key where people expect it', () => {
    const keys = Object.keys(
      read(
        editFile(FILE, [
          { path: ['description'], value: 'x' },
          { path: ['code', 'git'], value: 'y' },
          { path: ['priority'], value: 'low' },
        ]),
      ),
    );
    expect(keys).toEqual(['kind', 'name', 'description', 'code', 'command', 'resources', 'env', 'priority', 'strange_key', 'max_time']);
  });

  it('begins a file that is empty or only comments', () => {
    expect(editFile('', [{ path: ['name'], value: 'bert' }])).toBe('name: bert\n');
    expect(editFile('# mine\n', [{ path: ['name'], value: 'bert' }])).toContain('# mine');
    expect(editFile('kind: training', [{ path: ['name'], value: 'bert' }])).toBe('kind: training\nname: bert\n');
  });

  it('takes the emptied parent with the last key, and leaves the comments', () => {
    const after = editFile(FILE, [{ path: ['resources', 'cpus'] }, { path: ['resources', 'memory'] }, { path: ['env', 'LR'] }]);
    expect(read(after)).not.toHaveProperty('resources');
    expect(after).toContain('# About the size.');
    expect(after).toContain('# the learning rate');
  });

  it('removes nothing where there is nothing', () => {
    expect(editFile(FILE, [{ path: ['topology', 'same'] }, { path: ['flavor'] }])).toBe(FILE);
  });

  it('renames a key in its place', () => {
    const after = editFile(FILE, [{ path: ['env', 'LR'], rename: 'RATE' }]);
    expect(Object.entries(read(after).env as object)).toEqual([
      ['RATE', '0.1'],
      ['EPOCHS', '3'],
    ]);
  });

  it('builds lists, and edits and removes their items', () => {
    const edits: Edit[] = [
      { path: ['roles', 0], value: { name: 'ps' } },
      { path: ['roles', 1, 'name'], value: 'worker' },
      { path: ['roles', 1, 'replicas'], value: 3 },
    ];
    const built = editFile(FILE, edits);
    expect(read(built).roles).toEqual([{ name: 'ps' }, { name: 'worker', replicas: 3 }]);
    expect(read(editFile(built, [{ path: ['roles', 0] }])).roles).toEqual([{ name: 'worker', replicas: 3 }]);
    expect(read(editFile(built, [{ path: ['roles', 0] }, { path: ['roles', 0] }]))).not.toHaveProperty('roles');
  });

  it('replaces what stands in the way', () => {
    expect(
      read(
        editFile('resources: 5\nenv:\n', [
          { path: ['resources', 'cpus'], value: 1 },
          { path: ['env', 'A'], value: 'b' },
        ]),
      ),
    ).toEqual({ resources: { cpus: 1 }, env: { A: 'b' } });
  });

  it('never lets a comment become part of a block', () => {
    const text = 'env:\n    A: "1"\n    # end\nname: bert\n';
    expect(read(editFile(text, [{ path: ['env', 'A'], value: 'a\nb\n' }]))).toEqual({ env: { A: 'a\nb\n' }, name: 'bert' });
  });

  it('changes one place only where two share a value', () => {
    const after = editFile('a: &size\n  gpus: 9\n# note\nresources: *size\n', [{ path: ['resources', 'gpus'], value: 3 }]);
    expect(read(after)).toEqual({ a: { gpus: 9 }, resources: { gpus: 3 } });
    expect(after).toContain('# note');
  });

  it('keeps the style of lists', () => {
    const text = 'roles:\n- name: ps\n- name: worker\n';
    expect(editFile(text, [{ path: ['roles', 1, 'replicas'], value: 2 }])).toBe('roles:\n- name: ps\n- name: worker\n  replicas: 2\n');
  });

  it('leaves a text alone that cannot be read', () => {
    for (const text of ['name: "bert\n', '- a\n- b\n', 'just words\n']) expect(editFile(text, [{ path: ['name'], value: 'x' }])).toBe(text);
  });

  it('works on JSON too', () => {
    expect(read(editFile('{"name": "bert", "resources": {"cpus": 1}}', [{ path: ['resources', 'gpus'], value: 1 }]))).toEqual({
      name: 'bert',
      resources: { cpus: 1, gpus: 1 },
    });
  });
});

describe('any series of edits', () => {
  const seeds = Array.from({ length: 80 }, (_, seed) => seed + 1);

  it('says in the file exactly what was set, and leaves everything else as it was typed', () => {
    for (const seed of seeds) {
      const random = generator(seed);
      const expected = read(FILE);
      let text = FILE;
      for (let step = 0; step < 6; step += 1) {
        const edit = anyEdit(random);
        text = editFile(text, [edit]);
        imitate(expected, edit);
        expect(read(text), `seed ${seed}, ${JSON.stringify(edit)} in\n${text}`).toEqual(expected);
      }
      for (const kept of ['# What this is for.', 'kind:   training   # note', '# About the size.', 'strange_key: {a:   [1,2]}']) {
        expect(text, `seed ${seed}`).toContain(kept);
      }
    }
  });

  it('is undone by setting things back', () => {
    for (const seed of seeds) {
      const random = generator(seed);
      const { path, value } = anyEdit(random);
      const before = path.reduce<unknown>((holder, part) => (holder as Record<string, unknown> | undefined)?.[part], read(FILE));
      expect(
        read(
          editFile(FILE, [
            { path, value },
            { path, value: before },
          ]),
        ),
        `seed ${seed}`,
      ).toEqual(read(FILE));
    }
  });
});

const PATHS: Edit['path'][] = [
  ['name'],
  ['description'],
  ['command'],
  ['priority'],
  ['max_time'],
  ['resources', 'gpus'],
  ['resources', 'cpus'],
  ['resources', 'memory'],
  ['env', 'LR'],
  ['env', 'NEW'],
  ['code', 'git'],
  ['topology', 'same'],
  ['on', 'task_failed'],
  ['node_selector', 'rack'],
];
const VALUES = [
  'plain',
  '0.1',
  'yes',
  '# not a comment',
  'a: b',
  'one\ntwo\n',
  '  led\nby space\n',
  "it's",
  '"quoted"',
  '',
  'null',
  '8GiB',
  'tab\there',
  '- dash',
  '中文',
  3,
  0.5,
  false,
];

function anyEdit(random: () => number): Edit {
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)]!;
  return random() < 0.2 ? { path: pick(PATHS), value: undefined } : { path: pick(PATHS), value: pick(VALUES) };
}

function imitate(file: Record<string, unknown>, { path, value }: Edit): void {
  const [key, inner] = path as [string, string?];
  if (inner === undefined) {
    if (value === undefined) delete file[key];
    else file[key] = value;
    return;
  }
  const holder = { ...(file[key] as object | undefined) } as Record<string, unknown>;
  if (value === undefined) delete holder[inner];
  else holder[inner] = value;
  if (Object.keys(holder).length > 0) file[key] = holder;
  else delete file[key];
}

/** The same numbers for the same seed. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}
