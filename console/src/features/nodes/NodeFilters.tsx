/** What is above the nodes: search, counts by state to filter with, how to look at them. */
import '@/ui/theme/kit-forms.css';
import { ActionIcon, NativeSelect, SegmentedControl } from '@mantine/core';
import type { Node, NodeState } from '@/api/nodes';
import type { MessageKey } from '@/app/i18n';
import { useT } from '@/app/i18n';
import { Icon } from '@/ui/icons';
import { SearchBox } from '@/ui/form/SearchBox';
import { choices, clusterOf, countStates, modelOf } from './arrange';
import { COLOURS, GROUPINGS, isFiltered, NODE_STATES } from './search';
import type { Colouring, Grouping, NodesSearch, View } from './search';
import { STATE_WORDS } from './words';
import lists from '@/ui/table/lists.module.css';
import style from './Nodes.module.css';

const GROUP_WORDS: Record<Grouping, MessageKey> = {
  model: 'nodes.byModel',
  pool: 'nodes.byPool',
  cluster: 'nodes.byCluster',
  state: 'nodes.byState',
};
const COLOUR_WORDS: Record<Colouring, MessageKey> = { owner: 'nodes.byOwner', time: 'nodes.byTime' };

interface Props {
  nodes: Node[];
  search: NodesSearch;
  onChange: (change: Partial<NodesSearch>) => void;
  onReset: () => void;
}

export function NodeFilters({ nodes, search, onChange, onReset }: Props) {
  const t = useT();
  const view = search.view ?? 'map';
  const clusters = choices(nodes, clusterOf);
  return (
    <search className={lists.filters} aria-label={t('nodes.filters')}>
      <SearchBox
        label={t('nodes.search')}
        hint={t('nodes.searchHint')}
        value={search.search ?? ''}
        onChange={(text) => onChange({ search: text || undefined })}
      />
      <Choice
        label={t('nodes.model')}
        any={t('nodes.anyModel')}
        values={choices(nodes, modelOf)}
        value={search.model}
        onChange={(model) => onChange({ model })}
      />
      <Choice
        label={t('nodes.pool')}
        any={t('nodes.anyPool')}
        values={choices(nodes, (node) => node.pool)}
        value={search.pool}
        onChange={(pool) => onChange({ pool })}
      />
      <Choice
        label={t('nodes.cluster')}
        any={t('nodes.anyCluster')}
        values={clusters}
        value={search.cluster}
        onChange={(cluster) => onChange({ cluster })}
      />
      <StateChips
        nodes={nodes}
        chosen={search.state ?? []}
        onChange={(state) => onChange({ state: state.length > 0 ? state : undefined })}
      />
      {isFiltered(search) && (
        <ActionIcon aria-label={t('nodes.reset')} title={t('nodes.reset')} onClick={onReset}>
          <Icon name="close" />
        </ActionIcon>
      )}
      <div className={style.looks}>
        {view === 'map' && (
          <>
            <NativeSelect
              aria-label={t('nodes.colour')}
              className={lists.choice}
              data={COLOURS.map((value) => ({ value, label: t(COLOUR_WORDS[value]) }))}
              value={search.colour ?? 'owner'}
              onChange={(event) => onChange({ colour: event.currentTarget.value as Colouring })}
            />
            <NativeSelect
              aria-label={t('nodes.group')}
              className={lists.choice}
              data={GROUPINGS.filter((value) => value !== 'cluster' || clusters.length > 1 || search.group === value).map((value) => ({
                value,
                label: t(GROUP_WORDS[value]),
              }))}
              value={search.group ?? 'model'}
              onChange={(event) => onChange({ group: event.currentTarget.value as Grouping })}
            />
          </>
        )}
        <SegmentedControl
          aria-label={t('nodes.view')}
          data={[
            { value: 'map', label: t('nodes.map') },
            { value: 'table', label: t('nodes.table') },
          ]}
          value={view}
          onChange={(value) => onChange({ view: value as View })}
        />
      </div>
    </search>
  );
}

interface ChoiceProps {
  label: string;
  any: string;
  values: string[];
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

/** Offered only where there is something to choose. */
function Choice({ label, any, values, value, onChange }: ChoiceProps) {
  if (values.length < 2 && value === undefined) return null;
  const known = value === undefined || values.includes(value) ? values : [...values, value];
  return (
    <NativeSelect
      aria-label={label}
      className={lists.choice}
      data={[{ value: '', label: any }, ...known]}
      value={value ?? ''}
      onChange={(event) => onChange(event.currentTarget.value || undefined)}
    />
  );
}

function StateChips({ nodes, chosen, onChange }: { nodes: Node[]; chosen: NodeState[]; onChange: (states: NodeState[]) => void }) {
  const t = useT();
  const counts = countStates(nodes);
  const toggle = (state: NodeState) => onChange(chosen.includes(state) ? chosen.filter((other) => other !== state) : [...chosen, state]);
  return (
    <fieldset className={lists.chips}>
      <legend className="visually-hidden">{t('nodes.state')}</legend>
      {NODE_STATES.filter((state) => counts[state] > 0 || chosen.includes(state)).map((state) => (
        <button
          key={state}
          type="button"
          className={`${lists.chip} ${style.chip}`}
          data-state={state}
          aria-pressed={chosen.includes(state)}
          onClick={() => toggle(state)}
        >
          {t(STATE_WORDS[state])} <strong>{counts[state]}</strong>
        </button>
      ))}
    </fieldset>
  );
}
