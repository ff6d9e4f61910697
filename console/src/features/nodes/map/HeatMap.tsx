/** Nodes and their GPUs as a map of tiles; only the rows in view exist, and the arrow keys walk from tile to tile. */
import { useElementSize, useMergedRef } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import type { KeyboardEvent, MouseEvent } from 'react';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { Node } from '@/api/nodes';
import { useT } from '@/app/i18n';
import { formatCount } from '@/ui/words/format';
import type { Group } from '../arrange';
import { columnsIn, densityFor, heightOf, nodeAt, placeOf, ROOMY, rowsOf, step } from './layout';
import type { Row } from './layout';
import { NodeHoverCard } from './NodeHoverCard';
import { NodeTile } from './NodeTile';
import type { TileLook } from './NodeTile';
import type { Grouping } from '../search';
import { usePointed } from './usePointed';
import { STATE_WORDS } from '../words';
import style from './HeatMap.module.css';

interface Props {
  groups: Group[];
  grouping: Grouping;
  look: Omit<TileLook, 'roomy'>;
}

/** Before the width is known, and where there is no layout at all. */
const LIKELY_WIDTH = 1100;

export default function HeatMap({ groups, grouping, look: { colour, me, owner, now } }: Props) {
  const t = useT();
  const scroller = useRef<HTMLDivElement>(null);
  const { ref: measured, width } = useElementSize<HTMLDivElement>();
  const frame = useMergedRef(scroller, measured);
  const count = groups.reduce((sum, group) => sum + group.nodes.length, 0);
  const density = densityFor(count);
  const columns = columnsIn((width || LIKELY_WIDTH) - 2, density);
  const rows = useMemo(() => rowsOf(groups, columns, density), [groups, columns, density]);
  const look = useMemo<TileLook>(() => ({ colour, me, owner, now, roomy: density === ROOMY }), [colour, me, owner, now, density]);

  const [current, setCurrent] = useState<string>();
  const place = placeOf(rows, current) ?? { row: rows.findIndex((row) => row.kind === 'tiles'), column: 0 };
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (at) => heightOf(rows[at]!, density),
    getItemKey: (at) => keyOf(rows[at]!),
    overscan: 6,
    initialRect: { width: LIKELY_WIDTH, height: 800 },
    // The tile that holds the focus stays, wherever the wheel leads.
    rangeExtractor: (range) => [...new Set([...defaultRangeExtractor(range), place.row])].filter((at) => at >= 0).sort((a, b) => a - b),
  });
  useEffect(() => virtual.measure(), [virtual, rows, density]);

  const moving = useRef(false);
  const follow = (event: KeyboardEvent) => {
    const next = step(rows, place, event.key, event.ctrlKey || event.metaKey);
    const node = next && nodeAt(rows, next);
    if (!node) return;
    event.preventDefault();
    moving.current = true;
    setCurrent(node.name);
    // On the way up, a heading right above comes along.
    const heading = next.row < place.row && rows[next.row - 1]?.kind === 'heading';
    virtual.scrollToIndex(heading ? next.row - 1 : next.row, { align: 'auto' });
  };
  useEffect(() => {
    if (!moving.current || current === undefined) return;
    const tile = scroller.current?.querySelector<HTMLElement>(`[data-node="${CSS.escape(current)}"]`);
    if (!tile) return;
    moving.current = false;
    tile.focus({ preventScroll: true });
  });

  const navigate = useNavigate();
  const open = (event: MouseEvent) => {
    const name = (event.target as HTMLElement).closest<HTMLElement>('[data-node]')?.dataset.node;
    if (name === undefined || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    void navigate({ to: '/nodes/$node', params: { node: name } });
  };

  const { pointed, card, handlers } = usePointed(scroller, setCurrent);
  const node = useMemo(() => pointed && findNode(groups, pointed.name), [groups, pointed]);

  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- the focus is on the tiles within */}
      <div
        ref={frame}
        className={style.scroller}
        role="grid"
        aria-label={t('nodes.title')}
        aria-rowcount={rows.length}
        aria-colcount={columns}
        onKeyDown={follow}
        onClick={open}
        {...handlers}
      >
        <div className={style.canvas} role="presentation" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map((item) => {
            const row = rows[item.index];
            if (!row) return null;
            return (
              <div
                key={item.key}
                role="row"
                aria-rowindex={item.index + 1}
                className={style.row}
                style={{ height: item.size, transform: `translateY(${item.start}px)` }}
              >
                {row.kind === 'heading' ? (
                  <Heading group={row.group} grouping={grouping} columns={columns} />
                ) : (
                  <Tiles
                    row={row}
                    columns={columns}
                    look={look}
                    reachable={item.index === place.row ? place.column : -1}
                    gap={density.gap}
                  />
                )}
              </div>
            );
          })}
        </div>
      </div>
      {pointed && node && <NodeHoverCard node={node} gpu={pointed.gpu} at={pointed.at} {...card} />}
    </>
  );
}

function Heading({ group, grouping, columns }: { group: Group; grouping: Grouping; columns: number }) {
  const t = useT();
  const { nodes, gpus, free } = group.sum;
  return (
    <div role="rowheader" aria-colspan={columns} className={style.heading}>
      <strong>{grouping === 'state' ? t(STATE_WORDS[group.nodes[0]!.state]) : group.key || t('nodes.withoutGpus')}</strong>
      <span>{t('nodes.count', { count: nodes })}</span>
      {gpus > 0 && <span>{t('nodes.freeOf', { free: formatCount(free), total: gpus })}</span>}
    </div>
  );
}

interface TilesProps {
  row: Row & { kind: 'tiles' };
  columns: number;
  look: TileLook;
  reachable: number;
  gap: number;
}

function Tiles({ row, columns, look, reachable, gap }: TilesProps) {
  return (
    <div
      role="presentation"
      className={style.tiles}
      style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`, gap, paddingBottom: gap }}
    >
      {row.nodes.map((node, column) => (
        <div key={node.name} role="gridcell" aria-colindex={column + 1} className={style.slot}>
          <NodeTile node={node} look={look} reachable={column === reachable} />
        </div>
      ))}
    </div>
  );
}

function keyOf(row: Row): string {
  return row.kind === 'heading' ? `# ${row.group.key}` : row.nodes[0]!.name;
}

function findNode(groups: Group[], name: string): Node | undefined {
  for (const group of groups) {
    const node = group.nodes.find((one) => one.name === name);
    if (node) return node;
  }
  return undefined;
}
