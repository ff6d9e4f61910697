import { expect, it } from 'vitest';
import { translate as t } from '@/app/i18n';
import { parseJobFile } from '@/parts/jobs/job-file';
import { EXAMPLES } from './examples';
import { certainMistakes } from '../file/mistakes';
import { shapeOf } from '../file/shapes';

it.each(EXAMPLES.map((example) => [example.id, example] as const))(
  'the example %s can be read, and only the blank one lacks something',
  (id, { text }) => {
    const { file, problems } = parseJobFile(text, t);
    expect(problems).toEqual([]);
    expect(certainMistakes(file ?? {}, t).map(({ loc }) => loc.join('.'))).toEqual(id === 'blank' ? ['name', 'command'] : []);
  },
);

it('the examples cover every shape', () => {
  expect(new Set(EXAMPLES.map(({ text }) => shapeOf(parseJobFile(text, t).file ?? {})))).toEqual(
    new Set(['single', 'several', 'total', 'roles']),
  );
});
