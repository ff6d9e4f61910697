import { expect, it } from 'vitest';
import type { Feature, Page } from '@/app/feature';
import { PLACES } from '@/app/places';
import { FEATURES } from '.';

const manifests = import.meta.glob<Feature>('./*/manifest.ts', { eager: true, import: 'default' });

it('gathers every feature that declares itself', () => {
  expect(new Set<Feature>(FEATURES)).toEqual(new Set(Object.values(manifests)));
  expect(FEATURES.length).toBe(Object.keys(manifests).length);
});

it('has one page at an address, and one shortcut to a place', () => {
  const paths = FEATURES.flatMap(({ pages }): readonly Page[] => pages).map(({ path }) => path);
  const shortcuts = PLACES.map(({ keys }) => keys);
  expect(paths.filter((path, at) => paths.indexOf(path) !== at)).toEqual([]);
  expect(shortcuts.filter((keys, at) => shortcuts.indexOf(keys) !== at)).toEqual([]);
});
