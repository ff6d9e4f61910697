import { describe, expect, it } from 'vitest';
import { mistakesIn } from '@/parts/mistakes';
import { FRESH, toSend } from './draft';
import { contextsOf, onlyContext } from './kubeconfig';

const text = `
current-context: cloud
contexts:
- name: lab
  context: {cluster: c1, user: u1}
- name: cloud
  context: {cluster: c2, user: u2}
clusters:
- {name: c1, cluster: {server: https://c1}}
- {name: c2, cluster: {server: https://c2}}
users:
- {name: u1, user: {token: one}}
- {name: u2, user: {token: two}}
`;

describe('a kubeconfig', () => {
  it('has contexts, one of them current', () => {
    expect(contextsOf(text)).toEqual({ names: ['lab', 'cloud'], current: 'cloud' });
    expect(contextsOf('contexts: [{name: a}]')).toEqual({ names: ['a'], current: 'a' });
    expect(contextsOf('{"current-context": "gone", "contexts": [{"name": "a"}, {"name": "b"}, 5]}')).toEqual({
      names: ['a', 'b'],
      current: 'a',
    });
  });

  it.each(['', 'words', '- 1', 'a: [', 'contexts: 5', 'contexts: []'])('is not %j', (other) => {
    expect(contextsOf(other)).toBeNull();
  });

  it('is sent without the secrets of other contexts', () => {
    const sent = onlyContext(text, 'lab');
    expect(JSON.parse(sent)).toEqual({
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'lab',
      contexts: [{ name: 'lab', context: { cluster: 'c1', user: 'u1' } }],
      clusters: [{ name: 'c1', cluster: { server: 'https://c1' } }],
      users: [{ name: 'u1', user: { token: 'one' } }],
    });
    expect(onlyContext('a: [', 'lab')).toBe('a: [');
  });
});

describe('what is sent of a cluster', () => {
  it('is what differs from what the server has', () => {
    expect(toSend(FRESH)).toEqual({});
    expect(
      toSend({
        ...FRESH,
        image: ' pytorch:2 ',
        dns: false,
        tolerations: 'a, b  c',
        pull_policy: 'Always',
        inCluster: true,
        kubeconfig: text,
      }),
    ).toEqual({
      image: 'pytorch:2',
      dns: false,
      tolerations: ['a', 'b', 'c'],
      pull_policy: 'Always',
      in_cluster: true,
    });
  });

  it('has the current context unless another was chosen', () => {
    expect(toSend({ ...FRESH, kubeconfig: text }).context).toBe('cloud');
    expect(toSend({ ...FRESH, kubeconfig: text, context: 'lab' })).toEqual({ kubeconfig: onlyContext(text, 'lab'), context: 'lab' });
    expect(toSend({ ...FRESH, kubeconfig: 'nonsense' })).toEqual({ kubeconfig: 'nonsense' });
  });

  it('is not refused by an error of another kind', () => {
    expect(mistakesIn(new Error('x')).mistakes).toEqual({});
  });
});
