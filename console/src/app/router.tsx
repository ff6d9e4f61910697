/** Every address of the console and what stands behind it; pages are loaded when visited. */
import { createRootRoute, createRoute, createRouter, lazyRouteComponent, Outlet, redirect } from '@tanstack/react-router';
import type { RouterHistory } from '@tanstack/react-router';
import { basePath } from '@/api/client';
import { jobSearch } from '@/features/job/search';
import { jobsSearch } from '@/features/jobs/search';
import { nodeSearch, nodesSearch } from '@/features/nodes/search';
import { queueSearch } from '@/features/queue/search';
import { scoreSearch, scoresSearch } from '@/features/scores/search';
import { submitSearch } from '@/features/submit/search';
import { Crash, NotFound } from './Fallbacks';
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
  component: lazyRouteComponent(() => import('@/features/submit/SubmitPage'), 'SubmitPage'),
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
  component: lazyRouteComponent(() => import('@/features/submit/EditPage'), 'EditPage'),
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

const profile = createRoute({
  getParentRoute: () => app,
  path: '/profile',
  component: lazyRouteComponent(() => import('@/features/profile/ProfilePage'), 'ProfilePage'),
});

const behindSignIn = [overview, jobs, submit, job, edit, queue, scores, score, nodes, node, clusters, cluster, profile] as const;
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
