/** Every address of the console and what stands behind it; pages are loaded when visited. */
import { createRootRoute, createRoute, createRouter, lazyRouteComponent, Outlet, redirect } from '@tanstack/react-router';
import type { RouterHistory } from '@tanstack/react-router';
import { basePath } from '@/api/client';
import { FEATURES } from '@/features';
import { Crash, LostPage, NotFound } from './frame/Fallbacks';
import type { Page } from './feature';
import { withWords } from './i18n';
import { queryClient } from './queries';
import { one, parseSearch, stringifySearch } from './search';
import { sessionQuery } from './session';
import { Shell } from './frame/Shell';

const root = createRootRoute({ component: Outlet, errorComponent: Crash, notFoundComponent: NotFound });

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: (search: Record<string, unknown>): { code?: string; next?: string } => ({
    code: one(search.code),
    next: one(search.next),
  }),
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

/** A feature's page behind the sign-in; the compiler knows its path and what its address holds. */
function routeOf<const Path extends string, Search extends Page['search']>({ path, name, load, search, words }: Page<Path, Search>) {
  return createRoute({
    getParentRoute: () => app,
    path,
    validateSearch: search,
    component: lazyRouteComponent(words ? () => withWords(words, load) : load, name),
  });
}

/** Whatever else is asked for behind the sign-in: the frame stays. */
const lost = createRoute({ getParentRoute: () => app, path: '$', component: LostPage });

type RouteOf<Said> = Said extends Page<infer Path, infer Search> ? ReturnType<typeof routeOf<Path, Search>> : never;
const pages: readonly Page[] = FEATURES.flatMap((feature): readonly Page[] => feature.pages);
// A list forgets which page is which; their union does not.
const behindSignIn = pages.map((page) => routeOf(page)) as unknown as readonly RouteOf<(typeof FEATURES)[number]['pages'][number]>[];
const routeTree = root.addChildren([signIn, setPassword, app.addChildren([...behindSignIn, lost])]);

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
