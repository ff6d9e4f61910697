import { describe, expect, it } from 'vitest';
import { ownPath } from './next';

describe('the way on after signing in', () => {
  it('is the page one came for', () => {
    expect(ownPath('/jobs?state=failed&sort=-ended#top')).toBe('/jobs?state=failed&sort=-ended#top');
    expect(ownPath(undefined)).toBe('/');
  });

  it.each(['//evil.example/', '/\\evil.example', '/\t/evil.example', 'https://evil.example/', 'javascript:alert(1)', 'jobs', '//'])(
    'is never %j',
    (next) => {
      expect(ownPath(next)).toBe('/');
    },
  );
});
