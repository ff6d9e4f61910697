/** Every address of the console and what stands behind it; pages are loaded when visited. */
import { createRootRoute, createRoute, createRouter, lazyRouteComponent, Outlet, redirect } from '@tanstack/react-router';
import type { RouterHistory } from '@tanstack/react-router';
import { basePath } from '@/api/client';
import { jobSearch, jobsSearch, submitSearch } from '@/features/jobs/search';
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

const home = createRoute({
  getParentRoute: () => app,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/jobs' });
  },
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
  component: lazyRouteComponent(() => import('@/features/jobs/SubmitPage'), 'SubmitPage'),
});

const job = createRoute({
  getParentRoute: () => app,
  path: '/jobs/$job',
  validateSearch: jobSearch,
  component: lazyRouteComponent(() => import('@/features/jobs/JobPage'), 'JobPage'),
});

const edit = createRoute({
  getParentRoute: () => app,
  path: '/jobs/$job/edit',
  component: lazyRouteComponent(() => import('@/features/jobs/EditPage'), 'EditPage'),
});

const nodes = createRoute({
  getParentRoute: () => app,
  path: '/nodes',
  component: lazyRouteComponent(() => import('@/features/nodes/NodesPage'), 'NodesPage'),
});

const profile = createRoute({
  getParentRoute: () => app,
  path: '/profile',
  component: lazyRouteComponent(() => import('@/features/profile/ProfilePage'), 'ProfilePage'),
});

const routeTree = root.addChildren([signIn, setPassword, app.addChildren([home, jobs, submit, job, edit, nodes, profile])]);

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
