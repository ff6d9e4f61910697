import { describe, expect, it, vi } from 'vitest';
import { api, ask } from './client';
import { ApiError, problemFrom, UNREACHABLE } from './problem';

const refused = { status: 422, statusText: 'Unprocessable' };

describe('problems', () => {
  it('keep what the server said', () => {
    const body = {
      type: 'invalid_job',
      title: 'Invalid',
      detail: 'Two errors.',
      errors: [{ loc: ['name'], code: 'missing', message: 'is required' }],
    };
    expect(problemFrom(body, refused)).toEqual({ ...body, status: 422 });
  });

  it('are made up from the status where the body is no problem document', () => {
    expect(problemFrom('<html>', { status: 502, statusText: 'Bad Gateway' })).toMatchObject({
      type: 'unknown',
      title: 'Bad Gateway',
      errors: [],
    });
  });

  it('drop errors without a place or a message', () => {
    expect(problemFrom({ errors: [null, { loc: ['a'] }, 7] }, refused).errors).toEqual([]);
  });
});

describe('asking the server', () => {
  it('throws the problem of a refusal', async () => {
    const body = JSON.stringify({ type: 'forbidden', title: 'Forbidden', detail: 'Not yours.' });
    vi.stubGlobal('fetch', async () => new Response(body, { status: 403, headers: { 'Content-Type': 'application/problem+json' } }));
    await expect(ask(api.GET('/api/v1/version'))).rejects.toMatchObject({ status: 403, message: 'Not yours.' });
  });

  it('says that the server cannot be reached where there is no answer', async () => {
    vi.stubGlobal('fetch', async () => {
      throw new TypeError('fetch failed');
    });
    const error = await ask(api.GET('/api/v1/version')).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ApiError);
    expect((error as ApiError).problem.type).toBe(UNREACHABLE);
  });
});
