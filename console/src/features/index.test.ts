import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { SECTIONS } from '@/app/feature';
import type { Feature, Page } from '@/app/feature';
import { PLACES } from '@/app/places';
import { FEATURES } from '.';

const manifests = import.meta.glob<Feature>('./*/manifest.ts', { eager: true, import: 'default' });
const folders = readdirSync(import.meta.dirname, { withFileTypes: true }).filter((entry) => entry.isDirectory());

it('gathers every folder but the sign-in, which stands before them all', () => {
  const declared = Object.keys(manifests).map((path) => path.split('/')[1]);
  expect(new Set([...declared, 'sign-in'])).toEqual(new Set(folders.map(({ name }) => name)));
  expect(new Set<Feature>(FEATURES)).toEqual(new Set(Object.values(manifests)));
  expect(FEATURES.length).toBe(declared.length);
});

it('has the places section by section, and no two of a section at the same rank', () => {
  const sections = PLACES.map(({ section }) => SECTIONS.indexOf(section));
  expect(sections).toEqual(sections.toSorted((a, b) => a - b));
  for (const section of SECTIONS) {
    const ranks = PLACES.filter((place) => place.section === section).map(({ at }) => at);
    expect(ranks).toEqual([...new Set(ranks)].toSorted((a, b) => a - b));
  }
});

it('has one page at an address, and one shortcut to a place', () => {
  const paths = FEATURES.flatMap(({ pages }): readonly Page[] => pages).map(({ path }) => path);
  const shortcuts = PLACES.map(({ keys }) => keys);
  expect(paths.filter((path, at) => paths.indexOf(path) !== at)).toEqual([]);
  expect(shortcuts.filter((keys, at) => shortcuts.indexOf(keys) !== at)).toEqual([]);
});
