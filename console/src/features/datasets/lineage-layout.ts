/** Where the boxes of a lineage stand: from the left what versions were made from, the versions, and what reads them. */
import type { Lineage, LineageNode } from '@/api/datasets';

export const BOX = { width: 208, height: 44, between: 12, gap: 72 } as const;

export interface Placed {
  node: LineageNode;
  x: number;
  y: number;
}

export interface Line {
  key: string;
  path: string;
}

export interface Drawing {
  boxes: Placed[];
  lines: Line[];
  width: number;
  height: number;
}

/** `own`: the titles of the dataset's versions begin with this. */
export function drawn({ nodes, edges }: Lineage, own: string): Drawing {
  const column = columnsOf({ nodes, edges }, own);
  const used = [...new Set(nodes.map(({ id }) => column.get(id)!))].toSorted((a, b) => a - b);
  const byColumn = used.map((at) => nodes.filter(({ id }) => column.get(id) === at));
  const high = Math.max(0, ...byColumn.map((each) => heightOf(each.length)));
  const boxes = byColumn.flatMap((each, at) => {
    const above = (high - heightOf(each.length)) / 2;
    return each.map((node, row) => ({ node, x: at * (BOX.width + BOX.gap), y: above + row * (BOX.height + BOX.between) }));
  });
  const places = new Map(boxes.map((box) => [box.node.id, box]));
  const lines = edges.flatMap(({ source, target }) => {
    const [from, to] = [places.get(source), places.get(target)];
    return from && to ? [{ key: `${source} ${target}`, path: curve(from, to) }] : [];
  });
  return { boxes, lines, width: Math.max(0, used.length * (BOX.width + BOX.gap) - BOX.gap), height: high };
}

const heightOf = (count: number): number => Math.max(0, count * (BOX.height + BOX.between) - BOX.between);

/** 0 are the versions of the dataset itself, −1 what made them, −2 what that read, 1 what reads them. */
function columnsOf({ nodes, edges }: Lineage, own: string): Map<string, number> {
  const isOwn = new Set(
    nodes.filter(({ kind, ref, name }) => kind === 'version' && (ref ?? name).startsWith(`${own}@`)).map(({ id }) => id),
  );
  const makers = new Set(edges.filter(({ kind }) => kind === 'made').map(({ source }) => source));
  return new Map(
    nodes.map(({ id, kind }) => {
      if (isOwn.has(id)) return [id, 0];
      if (kind === 'version') return [id, -2];
      return [id, makers.has(id) ? -1 : 1];
    }),
  );
}

/** From the right of one box to the left of the other, also where that lies before it. */
function curve(from: Placed, to: Placed): string {
  const [x, y] = [from.x + BOX.width, from.y + BOX.height / 2];
  const [endX, endY] = [to.x, to.y + BOX.height / 2];
  const bend = Math.max(BOX.gap / 2, Math.abs(endX - x) / 2);
  return `M${x} ${y}C${x + bend} ${y} ${endX - bend} ${endY} ${endX} ${endY}`;
}
