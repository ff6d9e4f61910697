import { describe, expect, it } from 'vitest';
import type { Lineage } from '@/api/datasets';
import { BOX, drawn } from './lineage-layout';

const node = (id: string, kind: Lineage['nodes'][number]['kind'], ref: string | null = null) => ({
  id,
  kind,
  name: ref ?? id,
  owner: 'lin',
  ref,
  at: null,
});
const graph: Lineage = {
  nodes: [
    node('p', 'place'),
    node('v1', 'version', 'lin:cifar@v1'),
    node('v2', 'version', 'lin:cifar@v2'),
    node('made', 'job'),
    node('raw', 'version', 'wang:raw@v7'),
    node('reads', 'job'),
  ],
  edges: [
    { source: 'p', target: 'v1', kind: 'made' },
    { source: 'made', target: 'v2', kind: 'made' },
    { source: 'raw', target: 'made', kind: 'read' },
    { source: 'v1', target: 'reads', kind: 'read' },
  ],
};

describe('a lineage', () => {
  it('runs from what was read through what made the versions to what reads them', () => {
    const { boxes, lines, width } = drawn(graph, 'lin:cifar');
    const x = (id: string) => boxes.find((box) => box.node.id === id)!.x / (BOX.width + BOX.gap);
    expect(['raw', 'p', 'made', 'v1', 'v2', 'reads'].map(x)).toEqual([0, 1, 1, 2, 2, 3]);
    expect(lines).toHaveLength(4);
    expect(width).toBe(4 * BOX.width + 3 * BOX.gap);
  });

  it('leaves no empty column, and no two boxes on each other', () => {
    const { boxes, width } = drawn({ nodes: graph.nodes.slice(0, 3), edges: graph.edges.slice(0, 1) }, 'lin:cifar');
    expect(width).toBe(2 * BOX.width + BOX.gap);
    expect(new Set(boxes.map(({ x, y }) => `${x} ${y}`)).size).toBe(3);
  });

  it('of nothing is nothing', () => {
    expect(drawn({ nodes: [], edges: [] }, 'lin:cifar')).toEqual({ boxes: [], lines: [], width: 0, height: 0 });
  });
});
