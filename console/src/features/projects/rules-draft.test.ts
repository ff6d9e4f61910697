import { describe, expect, it } from 'vitest';
import { project } from '@/testing/people';
import { draftOf, readDraft } from './rules-draft';

const draft = draftOf(project());
const read = (typed: Partial<typeof draft>) => readDraft({ ...draft, ...typed }, typed);

describe('what is typed about a project', () => {
  it('begins with what holds', () => {
    expect(draft).toMatchObject({
      weight: '2',
      cluster: 'lab',
      labels: 'zone=east',
      guarantee: { gpus: '8', models: '' },
      cap: { gpus: '24', models: 'A100=16', memory: '1TiB' },
    });
    expect(draftOf(project({ weight: null, node_selector: {} }))).toMatchObject({ weight: '', cluster: '', labels: '' });
  });

  it('is sent as far as it was typed', () => {
    expect(read({}).change).toEqual({});
    expect(read({ weight: '' }).change).toEqual({ weight: null });
    expect(read({ cluster: '' }).change).toEqual({ node_selector: { zone: 'east' } });
    expect(read({ labels: 'org=public\nrack=' }).change).toEqual({ node_selector: { org: 'public', rack: '', cluster: 'lab' } });
    expect(read({ cap: { gpus: '', models: 'A100=4, H800=0.5', cpus: '64', memory: '512GiB' } }).change).toEqual({
      cap: { A100: 4, H800: 0.5, cpus: 64, memory: 512 * 2 ** 30 },
    });
  });

  it.each([
    ['weight', { weight: '-1' }],
    ['weight', { weight: 'much' }],
    ['labels', { labels: 'east' }],
    ['guarantee.gpus', { guarantee: { ...draft.guarantee, gpus: 'all' } }],
    ['cap.models', { cap: { ...draft.cap, models: 'A100' } }],
    ['cap.models', { cap: { ...draft.cap, models: 'A100=x' } }],
    ['cap.memory', { cap: { ...draft.cap, memory: 'lots' } }],
  ])('is wrong at %s', (place, typed) => {
    expect([...read(typed).wrong]).toEqual([place]);
  });
});
