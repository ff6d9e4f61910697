/** How the heat map lies on the screen: rows of tiles under headings, and where the arrow keys lead. */
import type { Node } from '@/api/nodes';
import type { Group } from '../arrange';

export interface Density {
  tile: number;
  gap: number;
  /** Height of a tile without its lines of GPUs, and of one such line. */
  frame: number;
  line: number;
  perLine: number;
}

/** Few nodes have room for words; of many, each is a small tile. Heights and widths are those of the style sheet. */
export const ROOMY: Density = { tile: 268, gap: 12, frame: 106, line: 32, perLine: 8 };
export const COMPACT: Density = { tile: 172, gap: 8, frame: 36, line: 20, perLine: 8 };
const ROOMY_UP_TO = 48;
const HEADING = 40;

export type Row = { kind: 'heading'; group: Group } | { kind: 'tiles'; nodes: Node[]; lines: number };

export function densityFor(nodes: number): Density {
  return nodes <= ROOMY_UP_TO ? ROOMY : COMPACT;
}

export function columnsIn(width: number, { tile, gap }: Density): number {
  return Math.max(1, Math.floor((width + gap) / (tile + gap)));
}

export function rowsOf(groups: Group[], columns: number, { perLine }: Density): Row[] {
  const rows: Row[] = [];
  for (const group of groups) {
    rows.push({ kind: 'heading', group });
    for (let at = 0; at < group.nodes.length; at += columns) {
      const nodes = group.nodes.slice(at, at + columns);
      const most = Math.max(...nodes.map((node) => node.gpus.length));
      rows.push({ kind: 'tiles', nodes, lines: Math.max(1, Math.ceil(most / perLine)) });
    }
  }
  return rows;
}

export function heightOf(row: Row, { frame, line, gap }: Density): number {
  return row.kind === 'heading' ? HEADING : frame + row.lines * line + gap;
}

export interface Place {
  row: number;
  column: number;
}

export function placeOf(rows: Row[], name: string | undefined): Place | null {
  for (const [row, { kind, ...rest }] of rows.entries()) {
    if (kind !== 'tiles') continue;
    const column = (rest as { nodes: Node[] }).nodes.findIndex((node) => node.name === name);
    if (column !== -1) return { row, column };
  }
  return null;
}

export function nodeAt(rows: Row[], { row, column }: Place): Node | undefined {
  const found = rows[row];
  return found?.kind === 'tiles' ? found.nodes[Math.min(column, found.nodes.length - 1)] : undefined;
}

/** Where a key leads from a place; null for keys that mean nothing here. */
export function step(rows: Row[], from: Place, key: string, whole: boolean): Place | null {
  const tiles = rows.flatMap((row, at) => (row.kind === 'tiles' ? [at] : []));
  const at = tiles.indexOf(from.row);
  const width = (row: number) => (rows[row] as { nodes: Node[] }).nodes.length;
  const inRow = (place: number, column: number): Place => {
    const row = tiles[Math.min(tiles.length - 1, Math.max(0, place))]!;
    return { row, column: Math.min(column, width(row) - 1) };
  };
  switch (key) {
    case 'ArrowRight':
      return from.column + 1 < width(from.row) ? { ...from, column: from.column + 1 } : at + 1 < tiles.length ? inRow(at + 1, 0) : from;
    case 'ArrowLeft':
      return from.column > 0 ? { ...from, column: from.column - 1 } : at > 0 ? inRow(at - 1, Number.POSITIVE_INFINITY) : from;
    case 'ArrowDown':
      return inRow(at + 1, from.column);
    case 'ArrowUp':
      return inRow(at - 1, from.column);
    case 'PageDown':
      return inRow(at + PAGE, from.column);
    case 'PageUp':
      return inRow(at - PAGE, from.column);
    case 'Home':
      return whole ? inRow(0, 0) : { ...from, column: 0 };
    case 'End':
      return whole ? inRow(tiles.length - 1, Number.POSITIVE_INFINITY) : { ...from, column: width(from.row) - 1 };
    default:
      return null;
  }
}

const PAGE = 6;
