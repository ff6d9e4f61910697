/** The nodes as a table: the heat map's alternative, sorted by what is free. */
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { Node } from '@/api/types';
import { useT } from '@/app/i18n';
import { DataTable } from '@/ui/DataTable';
import type { Column } from '@/ui/DataTable';
import { formatBytes, formatCount } from '@/ui/format';
import { NodeStatus } from '@/ui/Status';
import { sortNodes } from './arrange';
import { freeGpus, share } from './capacity';
import type { NodeSort } from './search';
import style from './Nodes.module.css';

interface Props {
  nodes: Node[];
  sort: NodeSort;
  onSort: (sort: NodeSort) => void;
}

export default function NodeTable({ nodes, sort, onSort }: Props) {
  const t = useT();
  const rows = useMemo(() => sortNodes(nodes, sort), [nodes, sort]);
  const columns = useMemo<Column<Node>[]>(() => [
    { id: 'name', header: t('jobs.name'), sort: 'name', width: '18%', cell: (node) => <Link to="/nodes/$node" params={{ node: node.name }} className={style.name} title={node.name}>{node.name}</Link> },
    { id: 'state', header: t('nodes.state'), sort: 'state', width: '120px', cell: (node) => <NodeStatus state={node.state} /> },
    { id: 'model', header: t('nodes.model'), width: '104px', hideBelow: 'phone', cell: (node) => node.gpu_model ?? '–' },
    { id: 'gpus', header: t('nodes.gpusFree'), sort: 'gpus', width: '132px', cell: (node) => (node.gpus.length > 0 ? <Amount free={freeGpus(node)} total={node.gpus.length} words={formatCount} /> : '–') },
    { id: 'cpus', header: t('nodes.cpusFree'), sort: 'cpus', width: '132px', hideBelow: 'phone', cell: (node) => <Amount free={node.cpus - node.used.cpus} total={node.cpus} words={formatCount} /> },
    { id: 'memory', header: t('nodes.memoryFree'), sort: 'memory', width: '196px', hideBelow: 'tablet', cell: (node) => <Amount free={node.memory - node.used.memory} total={node.memory} words={formatBytes} /> },
    { id: 'pool', header: t('nodes.pool'), width: '104px', hideBelow: 'phone', cell: (node) => node.pool },
    { id: 'people', header: t('nodes.people'), hideBelow: 'phone', cell: (node) => people(node) },
  ], [t]);
  return <DataTable label={t('nodes.title')} columns={columns} rows={rows} rowKey={(node) => node.name} sort={sort} onSort={(next) => onSort(next as NodeSort)} />;
}

/** In numbers what is free; the bar fills with what is not. */
function Amount({ free, total, words }: { free: number; total: number; words: (value: number) => string }) {
  return (
    <span className={style.amount}>
      <span className={style.bar}><i style={{ width: `${share(total - free, total) * 100}%` }} /></span>
      {words(free)} / {words(total)}
    </span>
  );
}

function people(node: Node): string {
  return [...new Set(node.tasks.map((task) => task.owner))].sort().join(', ') || '–';
}
