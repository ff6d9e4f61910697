/** Every address of the console and what stands behind it; pages are loaded when visited. */
import { createRootRoute, createRoute, createRouter, lazyRouteComponent, Outlet, redirect } from '@tanstack/react-router';
import type { RouterHistory } from '@tanstack/react-router';
import { basePath } from '@/api/client';
import { auditSearch } from '@/features/audit/search';
import { flavorsSearch } from '@/features/flavors/search';
import { jobSearch } from '@/features/job/search';
import { jobsSearch } from '@/features/jobs/search';
import { nodeSearch, nodesSearch } from '@/features/nodes/search';
import { projectsSearch } from '@/features/projects/search';
import { panelSearch } from '@/features/panel/search';
import { queueSearch } from '@/features/queue/search';
import { requestsSearch } from '@/features/requests/search';
import { quotasSearch } from '@/features/quotas/search';
import { scoreSearch, scoresSearch } from '@/features/scores/search';
import { submitSearch } from '@/features/submit/search';
import { usersSearch } from '@/features/users/search';
import { Crash, NotFound } from './Fallbacks';
import { composing, governing } from './i18n';
import { queryClient } from './queries';
import { one, parseSearch, stringifySearch } from './search';
import { sessionQuery } from './session';
import { Shell } from './Shell';

const root = createRootRoute({ component: Outlet, errorComponent: Crash, notFoundComponent: NotFound });

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: (search: Record<string, unknown>): { code?: string; next?: string } => ({ code: one(search.code), next: one(search.next) }),
  component: lazyRouteComponent(() => import('@/features/sign-in/SignInPage'), 'SignInPage'),
});

const setPassword = createRoute({
  getParentRoute: () => root,
  path: '/set-password',
  validateSearch: (search: Record<string, unknown>): { next?: string } => ({ next: one(search.next) }),
  beforeLoad: async () => {
    if (!(await queryClient.ensureQueryData(sessionQuery))) throw redirect({ to: '/sign-in' });
  },
  component: lazyRouteComponent(() => import('@/features/sign-in/SetPasswordPage'), 'SetPasswordPage'),
});

/** Everything behind the sign-in. */
const app = createRoute({
  getParentRoute: () => root,
  id: 'app',
  component: Shell,
  beforeLoad: async ({ location }) => {
    const session = await queryClient.ensureQueryData(sessionQuery);
    const next = location.href === '/' ? undefined : location.href;
    if (!session) throw redirect({ to: '/sign-in', search: { next } });
    if (session.must_set_password) throw redirect({ to: '/set-password', search: { next } });
  },
});

const overview = createRoute({
  getParentRoute: () => app,
  path: '/',
  component: lazyRouteComponent(() => import('@/features/overview/OverviewPage'), 'OverviewPage'),
});

const jobs = createRoute({
  getParentRoute: () => app,
  path: '/jobs',
  validateSearch: jobsSearch,
  component: lazyRouteComponent(() => import('@/features/jobs/JobsPage'), 'JobsPage'),
});

const submit = createRoute({
  getParentRoute: () => app,
  path: '/jobs/new',
  validateSearch: submitSearch,
  component: lazyRouteComponent(() => composing(() => import('@/features/submit/SubmitPage')), 'SubmitPage'),
});

const job = createRoute({
  getParentRoute: () => app,
  path: '/jobs/$job',
  validateSearch: jobSearch,
  component: lazyRouteComponent(() => import('@/features/job/JobPage'), 'JobPage'),
});

const edit = createRoute({
  getParentRoute: () => app,
  path: '/jobs/$job/edit',
  component: lazyRouteComponent(() => composing(() => import('@/features/submit/EditPage')), 'EditPage'),
});

const queue = createRoute({
  getParentRoute: () => app,
  path: '/queue',
  validateSearch: queueSearch,
  component: lazyRouteComponent(() => import('@/features/queue/QueuePage'), 'QueuePage'),
});

const scores = createRoute({
  getParentRoute: () => app,
  path: '/scores',
  validateSearch: scoresSearch,
  component: lazyRouteComponent(() => import('@/features/scores/ScoresPage'), 'ScoresPage'),
});

const score = createRoute({
  getParentRoute: () => app,
  path: '/scores/$user',
  validateSearch: scoreSearch,
  component: lazyRouteComponent(() => import('@/features/scores/ScorePage'), 'ScorePage'),
});

const nodes = createRoute({
  getParentRoute: () => app,
  path: '/nodes',
  validateSearch: nodesSearch,
  component: lazyRouteComponent(() => import('@/features/nodes/NodesPage'), 'NodesPage'),
});

const node = createRoute({
  getParentRoute: () => app,
  path: '/nodes/$node',
  validateSearch: nodeSearch,
  component: lazyRouteComponent(() => import('@/features/nodes/NodePage'), 'NodePage'),
});

const clusters = createRoute({
  getParentRoute: () => app,
  path: '/clusters',
  component: lazyRouteComponent(() => import('@/features/clusters/ClustersPage'), 'ClustersPage'),
});

const cluster = createRoute({
  getParentRoute: () => app,
  path: '/clusters/$cluster',
  component: lazyRouteComponent(() => import('@/features/clusters/ClusterPage'), 'ClusterPage'),
});

const projects = createRoute({
  getParentRoute: () => app,
  path: '/projects',
  validateSearch: projectsSearch,
  component: lazyRouteComponent(() => governing(() => import('@/features/projects/ProjectsPage')), 'ProjectsPage'),
});

const project = createRoute({
  getParentRoute: () => app,
  path: '/projects/$project',
  component: lazyRouteComponent(() => governing(() => import('@/features/projects/ProjectPage')), 'ProjectPage'),
});

const requests = createRoute({
  getParentRoute: () => app,
  path: '/requests',
  validateSearch: requestsSearch,
  component: lazyRouteComponent(() => governing(() => import('@/features/requests/RequestsPage')), 'RequestsPage'),
});

const users = createRoute({
  getParentRoute: () => app,
  path: '/users',
  validateSearch: usersSearch,
  component: lazyRouteComponent(() => governing(() => import('@/features/users/UsersPage')), 'UsersPage'),
});

const user = createRoute({
  getParentRoute: () => app,
  path: '/users/$user',
  component: lazyRouteComponent(() => governing(() => import('@/features/users/UserPage')), 'UserPage'),
});

const groups = createRoute({
  getParentRoute: () => app,
  path: '/groups',
  component: lazyRouteComponent(() => governing(() => import('@/features/groups/GroupsPage')), 'GroupsPage'),
});

const group = createRoute({
  getParentRoute: () => app,
  path: '/groups/$group',
  component: lazyRouteComponent(() => governing(() => import('@/features/groups/GroupPage')), 'GroupPage'),
});

const profile = createRoute({
  getParentRoute: () => app,
  path: '/profile',
  component: lazyRouteComponent(() => governing(() => import('@/features/profile/ProfilePage')), 'ProfilePage'),
});

const panel = createRoute({
  getParentRoute: () => app,
  path: '/panel',
  validateSearch: panelSearch,
  component: lazyRouteComponent(() => governing(() => import('@/features/panel/PanelPage')), 'PanelPage'),
});

const flavors = createRoute({
  getParentRoute: () => app,
  path: '/flavors',
  validateSearch: flavorsSearch,
  component: lazyRouteComponent(() => import('@/features/flavors/FlavorsPage'), 'FlavorsPage'),
});

const pools = createRoute({
  getParentRoute: () => app,
  path: '/pools',
  component: lazyRouteComponent(() => import('@/features/pools/PoolsPage'), 'PoolsPage'),
});

const quotas = createRoute({
  getParentRoute: () => app,
  path: '/quotas',
  validateSearch: quotasSearch,
  component: lazyRouteComponent(() => import('@/features/quotas/QuotasPage'), 'QuotasPage'),
});

const priorities = createRoute({
  getParentRoute: () => app,
  path: '/priorities',
  component: lazyRouteComponent(() => governing(() => import('@/features/priorities/PrioritiesPage')), 'PrioritiesPage'),
});

const audit = createRoute({
  getParentRoute: () => app,
  path: '/audit',
  validateSearch: auditSearch,
  component: lazyRouteComponent(() => governing(() => import('@/features/audit/AuditPage')), 'AuditPage'),
});

const behindSignIn = [
  overview, jobs, submit, job, edit, queue, scores, score, nodes, node, clusters, cluster, profile,
  projects, project, requests, users, user, groups, group,
  panel, flavors, pools, quotas, priorities, audit,
] as const;
const routeTree = root.addChildren([signIn, setPassword, app.addChildren(behindSignIn)]);

/** Tests give a history of their own; the console uses the browser's. */
export function makeRouter(history?: RouterHistory) {
  return createRouter({
    routeTree,
    basepath: basePath || '/',
    parseSearch,
    stringifySearch,
    defaultPreload: 'intent',
    defaultErrorComponent: Crash,
    defaultNotFoundComponent: NotFound,
    scrollRestoration: true,
    ...(history && { history }),
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>;
  }
}
