import { describe, expect, it } from 'vitest';
import { translate } from '@/app/i18n';
import { parseJobFile, toYaml } from './job-file';
import { editFile } from './job-file-edit';

const FILE = `kind: training
name: bert
commnd: python train.py
resources:
  cpus: 8
  gpus: 9
roles:
  - {name: ps, replicas: 0}
  - name: worker
    replicas: x
env:
`;

function at(loc: (string | number)[], code = 'bad', text = FILE) {
  const { place } = parseJobFile(text, translate);
  const { from, to, line, column, field } = place({ loc, code, message: 'wrong' });
  return { marked: text.slice(from, to), line, column, field };
}

describe('the place of a server error', () => {
  it('is the value', () => {
    expect(at(['resources', 'gpus'])).toEqual({ marked: '9', line: 6, column: 9, field: 'resources.gpus' });
  });

  it('is the key, where the key is what is wrong', () => {
    expect(at(['commnd'], 'unknown_key')).toMatchObject({ marked: 'commnd', line: 3, column: 1 });
  });

  it('is found inside lists, in flow and in block style', () => {
    expect(at(['roles', 0, 'replicas'])).toMatchObject({ marked: '0', line: 8 });
    expect(at(['roles', 1, 'replicas'])).toMatchObject({ marked: 'x', line: 10, column: 15 });
  });

  it('is the parent, where the field is missing', () => {
    expect(at(['resources', 'memory'], 'missing')).toMatchObject({ marked: 'resources', line: 4 });
    expect(at(['roles', 1, 'command'], 'missing')).toMatchObject({ line: 9 });
  });

  it('is the first line, where the file lacks it altogether', () => {
    expect(at(['command'], 'missing')).toMatchObject({ marked: 'kind: training', line: 1, column: 1 });
    expect(at([], 'missing')).toMatchObject({ line: 1 });
  });

  it('is the key of a block that is wrong as a whole', () => {
    expect(at(['resources'])).toMatchObject({ marked: 'resources', line: 4 });
  });

  it('is the key, where the value is empty', () => {
    expect(at(['env'])).toMatchObject({ marked: 'env', line: 11 });
  });

  it('is found past a variant that the validator names', () => {
    expect(at(['resources', 'Resources', 'gpus'])).toMatchObject({ marked: '9', line: 6 });
  });

  it('follows an alias', () => {
    const text = 'a: &size\n  gpus: 9\nresources: *size\n';
    expect(at(['resources', 'gpus'], 'bad', text)).toMatchObject({ marked: '9', line: 2 });
  });
});

describe('syntax errors', () => {
  it.each([
    ['name: bert\nname: gpt\n', 2, /twice/],
    ['name: bert\npre\n', 2, /colon/],
    ['name: "bert\nkind: x\n', 1, /quote/],
    ['resources: {gpus: 8\nname: x\n', 1, /bracket/],
    ['name: bert\n\tkind: x\n', 2, /tabs/],
    ['name: bert\n---\nname: gpt\n', 2, /one job/],
    ['name: @bert\n', 1, /quotes/],
  ])('of %j are told at line %i', (text, line, words) => {
    const { file, problems } = parseJobFile(text, translate);
    expect(file).toBeNull();
    expect(problems.map((problem) => problem.message).join(' ')).toMatch(words);
    expect(problems[0]!.line).toBe(line);
  });

  it('include a file that is no mapping', () => {
    for (const text of ['', 'just words', '- a\n- b\n']) {
      expect(parseJobFile(text, translate).problems[0]!.message).toMatch(/keys and values/);
    }
  });
});

describe('a good file', () => {
  it('becomes what is sent, with the booleans of YAML 1.2', () => {
    expect(parseJobFile('name: bert\npreemptible: true\nenv: {A: yes}\n', translate).file).toEqual({
      name: 'bert',
      preemptible: true,
      env: { A: 'yes' },
    });
  });

  it('survives the way there and back', () => {
    const file = { name: 'bert', command: 'line one\nline two\n', env: { LR: '0.1' } };
    expect(parseJobFile(toYaml(file), translate).file).toEqual(file);
  });
});

function marked(text: string) {
  const {
    file,
    problems: [problem],
  } = parseJobFile(text, translate);
  return { file, marked: problem && text.slice(problem.from, problem.to), line: problem?.line };
}

describe('aliases that cannot be spelled out', () => {
  it('are told where one stands inside what it stands for', () => {
    expect(marked('name: bert\na: &x [*x]\n')).toEqual({ file: null, marked: '*x', line: 2 });
    expect(marked('a: &x\n  b: &y\n    c: *x\n')).toMatchObject({ file: null, marked: '*x', line: 3 });
  });

  it('are told where there are far too many', () => {
    const text = `a: &x [1, 2]\nb: [${Array.from({ length: 200 }, () => '*x').join(', ')}]\n`;
    expect(marked(text)).toEqual({ file: null, marked: '*x', line: 2 });
    expect(editFile(text, [{ path: ['name'], value: 'bert' }])).toBe(text);
  });

  it('leave the others alone', () => {
    expect(parseJobFile('a: &x [1]\nb: *x\n', translate)).toMatchObject({ file: { a: [1], b: [1] }, problems: [] });
  });
});
