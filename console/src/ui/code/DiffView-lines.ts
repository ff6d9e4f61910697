/** The lines of a comparison, long stretches without change folded away. */
export interface DiffPart {
  kind: 'same' | 'added' | 'removed' | 'folded';
  lines: string[];
  /** The number of its first line among all lines shown. */
  at: number;
}

export interface Change {
  value: string;
  added?: boolean;
  removed?: boolean;
}

/** So many unchanged lines stay around a change. */
const CONTEXT = 3;

export function changedLines(changes: Change[]): DiffPart[] {
  const parts: DiffPart[] = [];
  let at = 0;
  const push = (kind: DiffPart['kind'], lines: string[]) => {
    if (lines.length === 0) return;
    parts.push({ kind, lines, at });
    at += lines.length;
  };
  for (const [index, { value, added, removed }] of changes.entries()) {
    const lines = value.replace(/\n$/, '').split('\n');
    if (added || removed) {
      push(added ? 'added' : 'removed', lines);
      continue;
    }
    const head = index === 0 ? 0 : CONTEXT;
    const tail = index === changes.length - 1 ? 0 : CONTEXT;
    if (lines.length <= head + tail + 1) {
      push('same', lines);
      continue;
    }
    push('same', lines.slice(0, head));
    push('folded', lines.slice(head, lines.length - tail));
    push('same', lines.slice(lines.length - tail));
  }
  return parts;
}
