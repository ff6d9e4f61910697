/** Names for copies and examples. */

const LONGEST = 63;

/** `bert` → `bert-copy` → `bert-copy-2` → `bert-copy-3`; never longer than a name may be. */
export function copyName(name: string): string {
  const [, base = name, number] = /^(.*)-copy(?:-(\d+))?$/.exec(name) ?? [];
  const isCopy = base !== name;
  const ending = isCopy ? `-copy-${number ? Number(number) + 1 : 2}` : '-copy';
  return `${base.slice(0, LONGEST - ending.length)}${ending}`;
}

/** The name, or the first of `name-2`, `name-3` and so on that is not taken. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  let free = name;
  for (let number = 2; taken.has(free); number += 1) free = `${name.slice(0, LONGEST - `-${number}`.length)}-${number}`;
  return free;
}
