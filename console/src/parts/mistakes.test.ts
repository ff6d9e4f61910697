import { describe, expect, it } from 'vitest';
import { ApiError } from '@/api/problem';
import { mistakesIn } from './mistakes';

const refusal = (...errors: [loc: (string | number)[], message: string, hint?: string][]) =>
  new ApiError({
    type: 'invalid',
    status: 422,
    title: 'Refused',
    detail: null,
    errors: errors.map(([loc, message, hint]) => ({ loc, code: 'wrong', message, hint })),
  });

describe('the mistakes of a form', () => {
  it('stand at their fields, the first of several, with the hint', () => {
    const { mistakes, untold } = mistakesIn(
      refusal([['name'], 'is taken', 'try another'], [['name'], 'is long'], [['groups', 2], 'is unknown']),
      ['name', 'groups'],
    );
    expect(mistakes).toEqual({ name: 'is taken (try another)', groups: 'is unknown' });
    expect(untold).toBeNull();
  });

  it('stand at the whole place where a field has that', () => {
    const error = refusal([['resources', 'gpus'], 'is too much'], [['name'], 'is taken']);
    expect(mistakesIn(error, ['name', 'resources.gpus'])).toEqual({
      mistakes: { name: 'is taken', 'resources.gpus': 'is too much' },
      untold: null,
    });
    expect(mistakesIn(error, /^(name|resources\.\w+)$/)).toEqual({
      mistakes: { name: 'is taken', 'resources.gpus': 'is too much' },
      untold: null,
    });
  });

  it('are told of the whole as soon as one has no field', () => {
    const error = refusal([['name'], 'is taken'], [['weight'], 'is no number']);
    expect(mistakesIn(error, ['name']).untold).toBe(error);
    expect(mistakesIn(error, /^name$/).untold).toBe(error);
    expect(mistakesIn(error, []).untold).toBe(error);
    expect(mistakesIn(error).untold).toBeNull();
    expect(mistakesIn(refusal([[], 'is nothing'])).mistakes).toEqual({ '': 'is nothing' });
  });

  it('are told of the whole where the server named none', () => {
    const [refused, broken] = [refusal(), new Error('gone')];
    expect(mistakesIn(refused, ['name'])).toEqual({ mistakes: {}, untold: refused });
    expect(mistakesIn(broken, ['name'])).toEqual({ mistakes: {}, untold: broken });
    expect(mistakesIn(null, ['name']).untold).toBeNull();
  });
});
