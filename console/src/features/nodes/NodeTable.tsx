/** The nodes as a table: the heat map's alternative, sorted by what is free. */
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { Node } from '@/api/nodes';
import { useSentence, useT } from '@/app/i18n';
import { useMayEverywhere } from '@/app/session';
import { Person } from '@/ui/words/Person';
import { ChosenBar } from '@/ui/table/ChosenBar';
import { DataTable } from '@/ui/table/DataTable';
import type { Column } from '@/ui/table/DataTable';
import { formatBytes, formatCount } from '@/ui/words/format';
import { NodeStatus } from '@/ui/words/Status';
import { Ago } from '@/ui/words/Time';
import { useChosen } from '@/ui/table/useChosen';
import { clusterOf, sortNodes } from './arrange';
import { FORM_WORDS, networkWords } from './words';
import { share } from './capacity';
import { NodeActions } from './acting/NodeActions';
import type { NodeSort } from './search';
import ink from '@/ui/theme/ink.module.css';
import style from './Nodes.module.css';

interface Props {
  nodes: Node[];
  /** Whether there are several clusters to tell apart. */
  clusters: boolean;
  sort: NodeSort;
  onSort: (sort: NodeSort) => void;
}

export default function NodeTable({ nodes, clusters, sort, onSort }: Props) {
  const t = useT();
  const rows = useMemo(() => sortNodes(nodes, sort), [nodes, sort]);
  const networks = nodes.some(({ network }) => network && !network.shared);
  const columns = useMemo<Column<Node>[]>(
    () => [
      {
        id: 'name',
        header: t('jobs.name'),
        sort: 'name',
        width: '18%',
        cell: (node) => (
          <Link to="/nodes/$node" params={{ node: node.name }} className={ink.link} title={node.name}>
            {node.name}
          </Link>
        ),
      },
      { id: 'state', header: t('nodes.state'), sort: 'state', width: '136px', cell: (node) => <State node={node} /> },
      { id: 'model', header: t('nodes.model'), width: '104px', hideBelow: 'phone', cell: (node) => node.gpu_model ?? '–' },
      {
        id: 'gpus',
        header: t('nodes.gpusFree'),
        sort: 'gpus',
        width: '132px',
        cell: (node) =>
          node.gpus.length > 0 ? (
            <Amount free={node.free.gpus} others={node.foreign.gpus} total={node.gpus.length} words={formatCount} />
          ) : (
            '–'
          ),
      },
      {
        id: 'cpus',
        header: t('nodes.cpusFree'),
        sort: 'cpus',
        width: '132px',
        hideBelow: 'tablet',
        cell: (node) => <Amount free={node.free.cpus} others={node.foreign.cpus} total={node.cpus} words={formatCount} />,
      },
      {
        id: 'memory',
        header: t('nodes.memoryFree'),
        sort: 'memory',
        width: '196px',
        hideBelow: clusters ? 'desktop' : 'tablet',
        cell: (node) => <Amount free={node.free.memory} others={node.foreign.memory} total={node.memory} words={formatBytes} />,
      },
      ...(networks
        ? [
            {
              id: 'network',
              header: t('nodes.network'),
              width: '208px',
              hideBelow: 'desktop' as const,
              cell: (node: Node) => (node.network?.shared ? '–' : networkWords(node, t)),
            },
          ]
        : []),
      ...(clusters ? [{ id: 'cluster', header: t('nodes.cluster'), width: '104px', hideBelow: 'phone' as const, cell: clusterOf }] : []),
      { id: 'pool', header: t('nodes.pool'), width: '104px', hideBelow: 'desktop', cell: (node) => node.pool },
      {
        id: 'isolation',
        header: t('nodes.isolationColumn'),
        width: '152px',
        hideBelow: 'desktop',
        cell: (node) => <Isolation node={node} />,
      },
      { id: 'people', header: t('nodes.people'), hideBelow: 'phone', cell: (node) => <People node={node} /> },
    ],
    [t, clusters, networks],
  );
  const mayWrite = useMayEverywhere('node:write');
  const chosen = useChosen(rows, nameOf);
  const label = useMemo(
    () =>
      ({ name }: Node) =>
        t('list.choose', { name }),
    [t],
  );
  const choice = { chosen: chosen.keys, label, allLabel: t('list.chooseAll'), onToggle: chosen.toggle, onToggleAll: chosen.toggleAll };
  return (
    <>
      <DataTable
        label={t('nodes.title')}
        columns={columns}
        rows={rows}
        rowKey={nameOf}
        sort={sort}
        onSort={(next) => onSort(next as NodeSort)}
        {...(mayWrite && { choice })}
      />
      <ChosenBar count={chosen.rows.length} onDrop={chosen.drop}>
        <NodeActions nodes={chosen.rows} onDone={chosen.drop} />
      </ChosenBar>
    </>
  );
}

const nameOf = ({ name }: Node): string => name;

/** With when it is to be empty, where that is known. */
function State({ node: { state, note, drain_by: drainBy, closes_at: closesAt } }: { node: Node }) {
  const t = useT();
  const closing = drainBy ?? closesAt;
  return (
    <span title={note || undefined} className={style.stateCell}>
      <NodeStatus state={state} />
      {closing && (
        <span className={style.closing}>
          {t(drainBy ? 'nodes.emptyBy' : 'nodes.closesAt')} <Ago at={closing} />
        </span>
      )}
    </span>
  );
}

/** How its tasks are kept apart, and how much of that is missing. */
function Isolation({ node: { isolation } }: { node: Node }) {
  const t = useT();
  const say = useSentence();
  if (!isolation) return '–';
  const { form, root, lacking } = isolation;
  const title = [isolation.text, ...lacking.map(({ text }) => text)].map(say).join('\n');
  return (
    <span title={title}>
      <span className={root || form === 'blocked' ? ink.danger : undefined}>{t(FORM_WORDS[form])}</span>
      {lacking.length > 0 && <span className={ink.fine}> · {t('nodes.isolationMissing', { missing: lacking.length })}</span>}
    </span>
  );
}

interface AmountProps {
  free: number;
  others: number;
  total: number;
  words: (value: number) => string;
}

/** In numbers what is free; the bar fills with what is not, what others than Danlu hold in another colour. */
function Amount({ free, others, total, words }: AmountProps) {
  const t = useT();
  const parts = [total - free - others, others].map((value) => `${share(value, total) * 100}%`);
  return (
    <span className={style.amount} title={others > 0 ? t('nodes.others', { amount: words(others) }) : undefined}>
      <span className={style.bar}>
        <i style={{ width: parts[0] }} />
        {others > 0 && <i className={style.others} style={{ width: parts[1] }} />}
      </span>
      {words(free)} / {words(total)}
    </span>
  );
}

function People({ node }: { node: Node }) {
  const names = [...new Set(node.tasks.map((task) => task.owner))].sort();
  return names.length === 0 ? '–' : names.map((name) => <Person key={name} name={name} />);
}
