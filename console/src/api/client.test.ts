import { describe, expect, it } from 'vitest';
import { outlivesThePage } from './client';

describe('a request', () => {
  it('outlives its page if somebody did something by it, however it was said', () => {
    expect(outlivesThePage({ method: 'PATCH', body: '{}' })).toBe(true);
    expect(outlivesThePage({ method: 'DELETE' })).toBe(true);
    expect(outlivesThePage({ method: 'POST', body: '丹'.repeat(16_000) })).toBe(true);
  });

  it('ends with its page if it only asks, or is more than browsers carry', () => {
    expect(outlivesThePage({})).toBe(false);
    expect(outlivesThePage({ method: 'GET' })).toBe(false);
    expect(outlivesThePage({ method: 'POST', body: 'x'.repeat(70_000) })).toBe(false);
  });
});
