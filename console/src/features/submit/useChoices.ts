/** What there is to choose from: projects, priorities, flavors, machines and frameworks; a form without them still works. */
import { useQuery } from '@tanstack/react-query';
import { frameworkKeys, listFrameworks } from '@/api/frameworks';
import type { Framework } from '@/api/frameworks';
import type { JobFile } from '@/api/jobs';
import { listNodes, nodeKeys } from '@/api/nodes';
import type { Node } from '@/api/nodes';
import type { User } from '@/api/people';
import { flavorKeys, listFlavors } from '@/api/rules/flavors';
import type { Flavor } from '@/api/rules/flavors';
import { listPriorities, priorityKeys } from '@/api/rules/priorities';
import type { PriorityClass } from '@/api/rules/priorities';
import { listProjects, projectKeys } from '@/api/rules/projects';
import type { Project } from '@/api/rules/projects';
import { useLive } from '@/app/queries';
import { useMe } from '@/app/session';
import { classOf, textAt } from './file/reading';

const FRESH_MS = 60_000;

export interface Choices {
  projects: Project[];
  priorities: PriorityClass[];
  flavors: Flavor[];
  nodes: Node[];
  frameworks: Framework[];
  me: User;
}

export function useChoices(): Choices {
  useLive('rules');
  // Whoever is let into a project is offered it at once.
  useLive('users');
  const me = useMe();
  const projects = useQuery({ queryKey: projectKeys.all, queryFn: ({ signal }) => listProjects(signal), refetchOnMount: 'always' });
  const priorities = useQuery({ queryKey: priorityKeys.all, queryFn: ({ signal }) => listPriorities(signal), staleTime: FRESH_MS });
  const flavors = useQuery({ queryKey: flavorKeys.all, queryFn: ({ signal }) => listFlavors(signal), staleTime: FRESH_MS });
  const nodes = useQuery({ queryKey: nodeKeys.all, queryFn: ({ signal }) => listNodes(signal), staleTime: FRESH_MS });
  return {
    projects: projects.data ?? [],
    priorities: priorities.data ?? [],
    flavors: flavors.data ?? [],
    nodes: nodes.data ?? [],
    frameworks: useFrameworks(),
    me,
  };
}

const NO_FRAMEWORKS: Framework[] = [];

/** They change with the server's version only. */
export function useFrameworks(): Framework[] {
  const frameworks = useQuery({
    queryKey: frameworkKeys.all,
    queryFn: ({ signal }) => listFrameworks(signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return frameworks.data ?? NO_FRAMEWORKS;
}

/** Those that this person may use in the file's project, the most urgent first. */
export function openPriorities(
  file: JobFile,
  { priorities, projects, me }: Pick<Choices, 'priorities' | 'projects' | 'me'>,
): PriorityClass[] {
  const name = textAt(file, ['project']) || 'public';
  const bounds = projects.find((project) => project.name === name)?.priorities ?? [];
  const mine = new Set([me.role, ...me.groups]);
  return priorities
    .filter((priority) => priority.groups.length === 0 || priority.groups.some((group) => mine.has(group)))
    .filter((priority) => priority.projects.length === 0 || priority.projects.includes(name))
    .filter((priority) => bounds.length === 0 || bounds.includes(priority.name))
    .toSorted((a, b) => b.value - a.value);
}

/** Those that are for jobs like this one. */
export function openFlavors(file: JobFile, flavors: Flavor[]): Flavor[] {
  const wanted = classOf(file);
  return flavors.filter((flavor) => flavor.classes.length === 0 || flavor.classes.includes(wanted));
}
