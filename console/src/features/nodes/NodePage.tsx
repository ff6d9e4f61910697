/** One node: its state and what that means, what it has, who holds its GPUs, its tasks, plots and events; cordon. */
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { getNode, nodeKeys } from '@/api/nodes';
import type { Node, NodeState } from '@/api/nodes';
import { listMaintenance, maintenanceKeys } from '@/api/rules/maintenance';
import { useSentence, useT } from '@/app/i18n';
import type { Translate } from '@/app/i18n';
import { useLive } from '@/app/queries';
import { AwaitedPage } from '@/ui/page/AwaitedPage';
import { formatBytes, formatCount } from '@/ui/words/format';
import type { IconName } from '@/ui/icons';
import { Facts, Notice, Page, Panel } from '@/ui/page/Panel';
import type { Crumb } from '@/ui/page/Panel';
import type { Tone } from '@/ui/words/Status';
import { NodeStatus } from '@/ui/words/Status';
import { Exact } from '@/ui/words/Time';
import { reportedBy } from './acting/labels';
import { NodeActions } from './acting/NodeActions';
import { NodeEvents } from './one/NodeEvents';
import { NodeGpus } from './one/NodeGpus';
import { GivenLabels, Labels } from './one/NodeLabels';
import { NodePlots } from './one/NodePlots';
import { NodeTasks } from './one/NodeTasks';
import { STATE_MEANINGS, STATE_WORDS, networkWords, pollMeasured, usedWords, withOthers } from './words';
import style from './NodePage.module.css';

const route = getRouteApi('/app/nodes/$node');
type Say = ReturnType<typeof useSentence>;

export function NodePage() {
  const t = useT();
  const { node: name } = route.useParams();
  useLive('nodes');
  const node = useQuery({
    queryKey: nodeKeys.one(name),
    queryFn: ({ signal }) => getNode(name, signal),
    refetchInterval: pollMeasured,
  });
  const list: Crumb = { to: '/nodes', label: t('nodes.title') };
  if (node.data) return <Loaded node={node.data} trail={[list]} />;
  return (
    <AwaitedPage
      title={name}
      list={list}
      query={node}
      bones={10}
      icon="nodes"
      missing={t('nodes.missing')}
      text={t('nodes.missingText')}
      back={t('nodes.all')}
    />
  );
}

function Loaded({ node, trail }: { node: Node; trail: Crumb[] }) {
  const t = useT();
  const say = useSentence();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const heading = (
    <span className={style.heading}>
      {node.name}
      <NodeStatus state={node.state} />
    </span>
  );
  return (
    <Page title={node.name} heading={heading} trail={trail} actions={<NodeActions nodes={[node]} />}>
      <Meaning node={node} />
      <Lacks node={node} />
      <Panel>
        <Facts items={factsOf(node, t, say)} />
      </Panel>
      {node.gpus.length > 0 && <NodeGpus node={node} />}
      <NodeTasks node={node} />
      <NodePlots node={node} window={search.window ?? '1h'} onWindow={(window) => void navigate({ search: { window }, replace: true })} />
      <NodeEvents node={node} />
    </Page>
  );
}

const LOOKS: Partial<Record<NodeState, [Tone, IconName]>> = {
  cordoned: ['amber', 'cordoned'],
  unreachable: ['red', 'lost'],
  off: ['grey', 'stopped'],
};

/** One notice: what its state means (its engine's own words say more than ours), and when it is to be empty. */
function Meaning({ node }: { node: Node }) {
  const t = useT();
  const { state, why, note } = node;
  const ahead = aheadOf(node, t);
  const look = LOOKS[state];
  const meaning = why || t(STATE_MEANINGS[state]);
  if (!look && !ahead) return <p className={style.meaning}>{meaning}</p>;
  return (
    <Notice tone={look?.[0] ?? 'amber'} icon={ahead?.icon ?? look![1]} title={look ? t(STATE_WORDS[state]) : ahead!.title}>
      {meaning}
      {note && note !== why && <p>{t('nodes.noteSays', { note })}</p>}
      {look && ahead && <p>{ahead.title}</p>}
      {ahead?.text}
    </Notice>
  );
}

/** That it is to be empty by some time. */
function aheadOf(
  { drain_by: drainBy, closes_at: closesAt, maintenance }: Node,
  t: Translate,
): { icon: IconName; title: ReactNode; text: ReactNode } | null {
  if (drainBy) return { icon: 'drain', title: <Moment words={t('nodes.emptyBy')} at={drainBy} />, text: <p>{t('nodes.drainText')}</p> };
  if (!closesAt) return null;
  const text = (
    <>
      <p>{t('nodes.closesText')}</p>
      {maintenance && <Purpose of={maintenance} />}
    </>
  );
  return { icon: 'calendar', title: <Moment words={t('nodes.closesAt')} at={closesAt} />, text };
}

/** The maintenance, and what it is for. */
function Purpose({ of }: { of: string }) {
  const { data } = useQuery({ queryKey: maintenanceKeys.all, queryFn: ({ signal }) => listMaintenance(signal) });
  const purpose = data?.find(({ name }) => name === of)?.description;
  return (
    <p>
      <Link to="/pools">{of}</Link>
      {purpose && `: ${purpose}`}
    </p>
  );
}

function Moment({ words, at }: { words: string; at: string }) {
  return (
    <strong>
      {words} <Exact at={at} />
    </strong>
  );
}

/** What keeps its tasks less apart than they could be, and how to mend it. */
function Lacks({ node: { isolation } }: { node: Node }) {
  const t = useT();
  const say = useSentence();
  if (!isolation || isolation.lacking.length === 0) return null;
  return (
    <Notice tone={isolation.root || isolation.form === 'blocked' ? 'red' : 'amber'} icon="warning" title={t('nodes.isolationLack')}>
      {isolation.lacking.map(({ code, text, fix }) => (
        <p key={code}>
          {say(text)} · {say(fix)}
        </p>
      ))}
    </Notice>
  );
}

function factsOf(node: Node, t: Translate, say: Say): [string, ReactNode][] {
  return [
    [t('nodes.gpus'), node.gpus.length > 0 ? usedWords(node, t) : t('nodes.noGpus')],
    [
      t('nodes.cpus'),
      withOthers(
        t('nodes.cpusUsed', { used: formatCount(node.used.cpus), total: formatCount(node.cpus) }),
        node.foreign.cpus,
        formatCount,
        t,
      ),
    ],
    [
      t('nodes.memory'),
      withOthers(
        t('nodes.memoryUsed', { used: formatBytes(node.used.memory), total: formatBytes(node.memory) }),
        node.foreign.memory,
        formatBytes,
        t,
      ),
    ],
    [t('nodes.network'), networkWords(node, t)],
    ...(node.cluster
      ? [
          [
            t('nodes.cluster'),
            <Link key="cluster" to="/clusters/$cluster" params={{ cluster: node.cluster }}>
              {node.cluster}
            </Link>,
          ] satisfies [string, ReactNode],
        ]
      : []),
    [
      t('nodes.pool'),
      <Link key="pool" to="/nodes" search={{ pool: node.pool }}>
        {node.pool}
      </Link>,
    ],
    [t('nodes.address'), node.address ?? '–'],
    ...(node.isolation ? [[t('nodes.isolation'), say(node.isolation.text)] satisfies [string, ReactNode]] : []),
    [
      t('nodes.kind'),
      node.virtual ? (
        <span key="kind" title={t('nodes.virtualText')}>
          {t('nodes.virtual')}
        </span>
      ) : (
        t('nodes.real')
      ),
    ],
    [t('nodes.reportedLabels'), <Labels key="reported" of={reportedBy(node)} />],
    [t('nodes.givenLabels'), <GivenLabels key="given" node={node} />],
  ];
}
