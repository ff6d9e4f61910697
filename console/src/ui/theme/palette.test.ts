import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { personSeries, SERIES, seriesToken } from './palette';

type Three = [number, number, number];
const sheet = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8');
const [light, dark] = [sheet.slice(0, sheet.indexOf('@media screen')), sheet.slice(sheet.indexOf('@media screen'))];

/** How those see who lack one sort of cones (Machado, Oliveira and Fernandes 2009, severity 1), on linear light. */
const EYES: Record<string, Three[]> = {
  usual: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
};

const times = (rows: Three[], [x, y, z]: Three): Three => rows.map((row) => row[0] * x + row[1] * y + row[2] * z) as Three;

function linear(hex: string): Three {
  return [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as Three;
}

/** Distances in OKLab are about as large as they look; two that lie next to each other are told apart from 2 on. */
function oklab(light_: Three): Three {
  const cones = times(
    [
      [0.4122214708, 0.5363325363, 0.0514459929],
      [0.2119034982, 0.6806995451, 0.1073969566],
      [0.0883024619, 0.2817188376, 0.6299787005],
    ],
    light_.map((part) => Math.min(1, Math.max(0, part))) as Three,
  ).map(Math.cbrt) as Three;
  return times(
    [
      [0.2104542553, 0.793617785, -0.0040720468],
      [1.9779984951, -2.428592205, 0.4505937099],
      [0.0259040371, 0.7827717662, -0.808675766],
    ],
    cones,
  ).map((part) => part * 100) as Three;
}

const luminance = (hex: string) => linear(hex).reduce((sum, part, at) => sum + part * [0.2126, 0.7152, 0.0722][at]!, 0);
function contrast(one: string, other: string): number {
  const [low, high] = [luminance(one), luminance(other)].toSorted((a, b) => a - b) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

describe.each([
  ['light', light],
  ['dark', dark],
])('the colours of lines and people, %s', (_, theme) => {
  const token = (name: string) => new RegExp(`--${name}: (#[0-9a-f]{6});`).exec(theme)![1]!;
  const all = Array.from({ length: SERIES }, (_each, at) => seriesToken(at));

  it('stand out from the page, and what is written on them is read', () => {
    expect(all.filter((name) => contrast(token(name), token('surface')) <= 3)).toEqual([]);
    expect(all.filter((name) => contrast(token(name), token(`on-${name}`)) <= 4.5)).toEqual([]);
  });

  it.each(Object.keys(EYES))('are told apart with %s eyes', (eyes) => {
    const seen = all.map((name) => oklab(times(EYES[eyes]!, linear(token(name)))));
    for (const [at, one] of seen.entries())
      for (const other of seen.slice(0, at))
        expect(Math.hypot(...one.map((part, axis) => part - other[axis]!)), `${at}`).toBeGreaterThan(12);
  });
});

describe('the colour of a person', () => {
  it('comes from the name alone', () => {
    expect(personSeries('lin')).toBe(personSeries('lin'));
    expect(Array.from('林梅').length).toBe(2);
    expect(personSeries('林梅')).toBeLessThan(SERIES);
  });

  it('is spread over all', () => {
    const people = Array.from({ length: 400 }, (_, at) => `user${at}`);
    const counts = Array.from({ length: SERIES }, (_, series) => people.filter((name) => personSeries(name) === series).length);
    expect(Math.min(...counts)).toBeGreaterThan(25);
  });
});
