/** Where the versions of a dataset come from and which jobs read them: as a graph, and as a list beside it. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useMemo } from 'react';
import { datasetKeys, getLineage } from '@/api/datasets';
import type { Dataset, Lineage, LineageNode } from '@/api/datasets';
import type { MessageKey, Translate } from '@/app/i18n';
import { useT } from '@/app/i18n';
import { splitRef } from '@/parts/datasets/reference';
import { Icon } from '@/ui/icons';
import type { IconName } from '@/ui/icons';
import { Panel } from '@/ui/page/Panel';
import { EmptyState, ErrorState, Skeleton } from '@/ui/page/States';
import { DataTable } from '@/ui/table/DataTable';
import type { Column } from '@/ui/table/DataTable';
import { Ago } from '@/ui/words/Time';
import { BOX, drawn } from './lineage-layout';
import layout from '@/ui/page/layout.module.css';
import ink from '@/ui/theme/ink.module.css';
import style from './Datasets.module.css';

type Kind = LineageNode['kind'];
const KINDS: Record<Kind, { icon: IconName; word: MessageKey }> = {
  version: { icon: 'datasets', word: 'datasets.version' },
  job: { icon: 'jobs', word: 'volumes.job' },
  place: { icon: 'projects', word: 'datasets.place' },
};
/** More than anybody can follow with the eye; the list has them all. */
const MOST_DRAWN = 120;

export default function LineageView({ dataset: { id, title } }: { dataset: Dataset }) {
  const t = useT();
  const lineage = useQuery({ queryKey: datasetKeys.lineage(id), queryFn: ({ signal }) => getLineage(id, signal) });
  if (!lineage.data) return lineage.error ? <ErrorState error={lineage.error} retry={() => void lineage.refetch()} /> : <Skeleton />;
  const { nodes, edges } = lineage.data;
  if (edges.length === 0)
    return (
      <EmptyState icon="datasets" title={t('datasets.noLineage')}>
        {t('datasets.noLineageText')}
      </EmptyState>
    );
  return (
    <div className={layout.parts}>
      {nodes.length <= MOST_DRAWN && (
        <Panel title={t('datasets.lineage')}>
          <Graph lineage={lineage.data} title={title} />
        </Panel>
      )}
      <Steps lineage={lineage.data} />
    </div>
  );
}

function Graph({ lineage, title }: { lineage: Lineage; title: string }) {
  const t = useT();
  const { boxes, lines, width, height } = useMemo(() => drawn(lineage, title), [lineage, title]);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must be reachable by keyboard
    <div className={style.graph} role="region" aria-label={t('datasets.graph')} tabIndex={0}>
      <div className={style.drawing} style={{ width, height }}>
        <svg width={width} height={height} aria-hidden>
          {lines.map(({ key, path }) => (
            <path key={key} d={path} />
          ))}
        </svg>
        {boxes.map(({ node, x, y }) => (
          <div key={node.id} className={style.box} data-kind={node.kind} style={{ left: x, top: y, width: BOX.width, height: BOX.height }}>
            <Icon name={KINDS[node.kind].icon} size={14} />
            <span className={style.boxText}>
              <Named node={node} />
              <span className={`${ink.finer} ${ink.cut}`}>
                {t(KINDS[node.kind].word)}
                {node.kind === 'job' && ` · ${node.owner}`}
              </span>
            </span>
          </div>
        ))}
      </div>
    </div>
  );
}

/** Leads to it, where one may go there. */
function Named({ node: { kind, name, ref } }: { node: LineageNode }): ReactNode {
  const t = useT();
  const said = name || t('volumes.hiddenJob');
  if (ref === null)
    return (
      <span className={name ? ink.cut : `${ink.quiet} ${ink.cut}`} title={said}>
        {said}
      </span>
    );
  const look = { className: `${ink.link} ${ink.cut}`, title: said };
  if (kind === 'job')
    return (
      <Link to="/jobs/$job" params={{ job: ref }} {...look}>
        {said}
      </Link>
    );
  const [dataset, version] = splitRef(ref);
  return (
    <Link to="/datasets/$dataset" params={{ dataset }} search={{ tab: 'files', version }} {...look}>
      {said}
    </Link>
  );
}

interface Step {
  key: string;
  from: LineageNode;
  kind: Lineage['edges'][number]['kind'];
  to: LineageNode;
}

function Steps({ lineage: { nodes, edges } }: { lineage: Lineage }) {
  const t = useT();
  const columns = useMemo(() => columnsOf(t), [t]);
  const rows = useMemo(() => {
    const known = new Map(nodes.map((node) => [node.id, node]));
    return edges.flatMap<Step>(({ source, target, kind }) => {
      const [from, to] = [known.get(source), known.get(target)];
      return from && to ? [{ key: `${source} ${target} ${kind}`, from, kind, to }] : [];
    });
  }, [nodes, edges]);
  return (
    <Panel title={t('datasets.steps')} flush>
      <DataTable label={t('datasets.steps')} columns={columns} rows={rows} rowKey={({ key }) => key} />
    </Panel>
  );
}

function columnsOf(t: Translate): Column<Step>[] {
  return [
    { id: 'from', header: t('datasets.from'), min: 120, cell: ({ from }) => <Named node={from} /> },
    {
      id: 'kind',
      header: t('datasets.step'),
      width: '112px',
      cell: ({ kind }) => t(kind === 'made' ? 'datasets.madeStep' : 'datasets.readStep'),
    },
    { id: 'to', header: t('datasets.into'), min: 120, cell: ({ to }) => <Named node={to} /> },
    {
      id: 'owner',
      header: t('jobs.owner'),
      width: '108px',
      hideBelow: 'tablet',
      cell: ({ kind, from, to }) => (kind === 'read' ? to.owner : from.owner),
    },
    {
      id: 'at',
      header: t('datasets.when'),
      width: '108px',
      hideBelow: 'phone',
      cell: ({ to: { at } }) => at && <Ago at={at} />,
    },
  ];
}
