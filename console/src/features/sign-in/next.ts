/** Where the person wanted to go before signing in. */

/** Only paths of this console, from its root: an address with a host could lead anywhere. */
export function ownPath(next: string | undefined): string {
  if (!next?.startsWith('/') || !URL.canParse(next, location.origin)) return '/';
  const { origin, pathname, search, hash } = new URL(next, location.origin);
  return origin === location.origin ? `${pathname}${search}${hash}` : '/';
}
