/** Names for copies. */

const LONGEST = 63;

/** `bert` → `bert-copy` → `bert-copy-2` → `bert-copy-3`; never longer than a name may be. */
export function copyName(name: string): string {
  const [, base = name, number] = /^(.*)-copy(?:-(\d+))?$/.exec(name) ?? [];
  const isCopy = base !== name;
  const ending = isCopy ? `-copy-${number ? Number(number) + 1 : 2}` : '-copy';
  return `${base.slice(0, LONGEST - ending.length)}${ending}`;
}
