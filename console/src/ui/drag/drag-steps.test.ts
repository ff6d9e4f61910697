import { describe, expect, it } from 'vitest';
import { keyStep, nearest } from './drag-steps';

describe('the nearest place', () => {
  it('is the one whose middle is closest to the pointer', () => {
    expect(nearest([10, 100, 400], 60)).toBe(1);
    expect(nearest([10, 100, 400], -500)).toBe(0);
    expect(nearest([10, 100, 400], 9999)).toBe(2);
  });

  it('is never one that is not on the page', () => {
    expect(nearest([undefined, 100, undefined], 0)).toBe(1);
    expect(nearest([undefined], 0)).toBeUndefined();
    expect(nearest([], 0)).toBeUndefined();
  });
});

describe('keys', () => {
  const carried = { slots: ['a', 'b', 'c'], to: 1 };

  it('take a row up and put it down', () => {
    expect(keyStep(' ', null)).toBe('lift');
    expect(keyStep('Enter', carried)).toBe('drop');
    expect(keyStep('Escape', carried)).toBe('cancel');
  });

  it('carry it, and stop at the ends', () => {
    expect(keyStep('ArrowUp', carried)).toBe(0);
    expect(keyStep('ArrowDown', carried)).toBe(2);
    expect(keyStep('ArrowUp', { ...carried, to: 0 })).toBe(0);
    expect(keyStep('ArrowDown', { ...carried, to: 2 })).toBe(2);
    expect(keyStep('Home', carried)).toBe(0);
    expect(keyStep('End', carried)).toBe(2);
  });

  it('mean nothing else', () => {
    expect(keyStep('ArrowUp', null)).toBeUndefined();
    expect(keyStep('x', carried)).toBeUndefined();
  });
});
