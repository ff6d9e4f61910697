/** Nodes, projects, volumes, templates, people and groups by name: of each kind that the person is shown, the best few. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { QueryKey } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { groupKeys, listGroups } from '@/api/groups';
import { listNodes, nodeKeys } from '@/api/nodes';
import { readUsers, userKeys } from '@/api/people';
import { listProjects, projectKeys } from '@/api/rules/projects';
import { listTemplates, templateKeys } from '@/api/templates';
import { listVolumes, volumeKeys } from '@/api/volumes';
import { useT } from '../i18n';
import type { Place } from '../places';
import { useMaySubmit, useSections } from '../session';
import { find } from './find';
import type { Group, Item } from './items';

const MOST = 5;
/** The server sorts people by name; the best few of these are shown. */
const TO_RANK = 20;
/** Names change seldom; the lists' own pages ask more often. */
const FRESH_MS = 60_000;

export interface FoundNames {
  groups: Group[];
  busy: boolean;
  failed: boolean;
}

interface Search {
  typed: string;
  /** What was typed a moment ago: only then is anything asked. */
  settled: string;
}

export function useFoundNames(search: Search): FoundNames {
  const kinds = [useNodes(search), useProjects(search), useVolumes(search), useTemplates(search), usePeople(search), useGroups(search)];
  return {
    groups: kinds.flatMap(({ groups }) => groups),
    busy: kinds.some(({ busy }) => busy),
    failed: kinds.some(({ failed }) => failed),
  };
}

function useNodes(search: Search): FoundNames {
  const navigate = useNavigate();
  return useKind(search, '/nodes', nodeKeys.all, listNodes, ({ name, pool }) => ({
    id: name,
    label: name,
    hint: pool,
    run: () => void navigate({ to: '/nodes/$node', params: { node: name } }),
  }));
}

function useProjects(search: Search): FoundNames {
  const navigate = useNavigate();
  return useKind(search, '/projects', projectKeys.all, listProjects, ({ name, description }) => ({
    id: name,
    label: name,
    hint: description,
    run: () => void navigate({ to: '/projects/$project', params: { project: name } }),
  }));
}

function useVolumes(search: Search): FoundNames {
  const navigate = useNavigate();
  return useKind(search, '/volumes', volumeKeys.list, listVolumes, ({ id, name, owner }) => ({
    id,
    label: name,
    hint: owner,
    run: () => void navigate({ to: '/volumes/$volume', params: { volume: id } }),
  }));
}

/** A template begins a job; who may not submit sees it among the others. */
function useTemplates(search: Search): FoundNames {
  const navigate = useNavigate();
  const maySubmit = useMaySubmit();
  return useKind(search, '/templates', templateKeys.list, listTemplates, ({ id, name, owner }) => ({
    id,
    label: name,
    hint: owner,
    run: () => void (maySubmit ? navigate({ to: '/jobs/new', search: { template: id } }) : navigate({ to: '/templates' })),
  }));
}

/** There may be thousands: the server searches them. */
function usePeople(search: Search): FoundNames {
  const navigate = useNavigate();
  const query = { search: search.settled, limit: TO_RANK };
  const read = async (signal: AbortSignal) => (await readUsers(query, undefined, signal)).items;
  return useKind(search, '/users', userKeys.list(query), read, ({ name, display_name: shown, email }) => ({
    id: name,
    label: shown || name,
    hint: name,
    words: `${name} ${email}`,
    run: () => void navigate({ to: '/users/$user', params: { user: name } }),
  }));
}

function useGroups(search: Search): FoundNames {
  const navigate = useNavigate();
  return useKind(search, '/groups', groupKeys.all, listGroups, ({ name, description }) => ({
    id: name,
    label: name,
    hint: description,
    run: () => void navigate({ to: '/groups/$group', params: { group: name } }),
  }));
}

/** One kind, under the name and icon of the place that lists it; who is not shown the place is shown none. */
function useKind<Row>(
  { typed, settled }: Search,
  to: Place['to'],
  queryKey: QueryKey,
  read: (signal: AbortSignal) => Promise<Row[]>,
  itemOf: (row: Row) => Omit<Item, 'icon'>,
): FoundNames {
  const t = useT();
  const place = useSections()
    .flatMap(({ places }) => places)
    .find((one) => one.to === to);
  const { data, isLoading, isPlaceholderData, isError } = useQuery({
    queryKey,
    queryFn: ({ signal }) => read(signal),
    enabled: place !== undefined && settled !== '',
    staleTime: FRESH_MS,
    placeholderData: keepPreviousData,
  });
  if (place === undefined || typed.trim() === '') return { groups: [], busy: false, failed: false };
  const items = (data ?? []).map((row): Item => {
    const item = itemOf(row);
    return Object.assign(item, { id: `${to} ${item.id}`, icon: place.icon });
  });
  return {
    // Filtered here too: what an earlier word found may not stand under a later one.
    groups: [{ id: to.slice(1), title: t(place.label), items: find(typed, items).slice(0, MOST) }],
    busy: isLoading || isPlaceholderData,
    failed: isError,
  };
}
