/** Finds by words: every word that was typed must occur; what begins with them comes first. */

export interface Findable {
  label: string;
  /** Other words it is found by. */
  words?: string | undefined;
  /** Words for what is there: many, so only their beginnings count. */
  topics?: string | undefined;
}

export function find<T extends Findable>(typed: string, items: readonly T[]): T[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [...items];
  return items
    .map((item) => ({ item, rank: rankOf(words, item) }))
    .filter(({ rank }) => rank < MISSED)
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}

const MISSED = 4;

function rankOf(words: readonly string[], { label, words: others = '', topics = '' }: Findable): number {
  const name = label.toLowerCase();
  const all = `${name} ${others.toLowerCase()}`;
  if (!words.every((word) => all.includes(word) || beginsWord(topics, word))) return MISSED;
  if (name.startsWith(words.join(' '))) return 0;
  if (words.every((word) => beginsWord(name, word))) return 1;
  return words.every((word) => name.includes(word)) ? 2 : 3;
}

function beginsWord(text: string, word: string): boolean {
  return text.split(/[\s\-_.]+/).some((part) => part.startsWith(word));
}
