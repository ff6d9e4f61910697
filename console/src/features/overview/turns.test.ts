import { expect, it } from 'vitest';
import { place } from '@/testing/samples';
import { inTurn } from './turns';

it('the job nearest to the head of its lane comes first, then the one that waits longest', () => {
  const items = [
    place({ name: 'third', position: 4 }),
    place({ name: 'second', position: 1, queued_at: '2026-05-01T10:05:00Z' }),
    place({ name: 'first', position: 1, queued_at: null, created_at: '2026-05-01T10:00:00Z' }),
  ];
  expect(inTurn(items).map(({ name }) => name)).toEqual(['first', 'second', 'third']);
});
