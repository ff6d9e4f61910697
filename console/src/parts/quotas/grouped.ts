/** Lists of what belongs together, in the order it came. */
export function grouped<Item>(items: readonly Item[], of: (item: Item) => string): [key: string, items: Item[]][] {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(of(item));
    if (group) group.push(item);
    else groups.set(of(item), [item]);
  }
  return [...groups];
}
