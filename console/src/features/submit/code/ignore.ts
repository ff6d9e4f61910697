/** What .gitignore files say, as the command line reads them: patterns, negation, folders, nested files. */

/** Never code, wherever they lie; a .gitignore may bring any of them back with `!name`, except .git. */
const DEFAULTS = ['.git', '__pycache__/', '.venv/', 'node_modules/'];

export interface IgnoreRule {
  /** The folder that its file lies in: '' or 'a/b/'. */
  base: string;
  pattern: RegExp;
  keeps: boolean;
  foldersOnly: boolean;
}

export const defaultRules = (): IgnoreRule[] => rulesIn(DEFAULTS.join('\n'), '');

export const rulesIn = (text: string, base: string): IgnoreRule[] => text.split(/\r?\n/).flatMap((line) => ruleOf(line, base));

/** Whether the last rule that matches ignores the path; folders above it are the caller's to check. */
export function ignored(rules: readonly IgnoreRule[], path: string, isFolder: boolean): boolean {
  if (path.slice(path.lastIndexOf('/') + 1) === '.git') return true;
  for (let at = rules.length - 1; at >= 0; at -= 1) {
    const { base, pattern, keeps, foldersOnly } = rules[at]!;
    if ((isFolder || !foldersOnly) && path.startsWith(base) && pattern.test(path.slice(base.length))) return !keeps;
  }
  return false;
}

function ruleOf(given: string, base: string): IgnoreRule[] {
  let line = given.replace(/(?<!\\)((?:\\\\)*)[ \t]+$/, '$1');
  if (line === '' || line.startsWith('#')) return [];
  const keeps = line.startsWith('!');
  if (keeps) line = line.slice(1);
  const foldersOnly = line.endsWith('/');
  line = foldersOnly ? line.replace(/\/+$/, '') : line;
  if (line === '') return [];
  const anchored = line.includes('/');
  return [{ base, pattern: patternOf(line.replace(/^\/+/, ''), anchored), keeps, foldersOnly }];
}

/** A glob as a pattern for a whole path; one without a slash matches a name at any depth. */
function patternOf(glob: string, anchored: boolean): RegExp {
  let out = anchored ? '' : '(?:.*/)?';
  let at = 0;
  while (at < glob.length) {
    if (glob.startsWith('**/', at) && (at === 0 || glob[at - 1] === '/')) {
      out += '(?:.*/)?';
      at += 3;
    } else if (glob.slice(at) === '**' && at > 0 && glob[at - 1] === '/') {
      out += '.+';
      at += 2;
    } else if (glob[at] === '*') {
      while (glob[at] === '*') at += 1;
      out += '[^/]*';
    } else if (glob[at] === '?') {
      out += '[^/]';
      at += 1;
    } else if (glob[at] === '[') {
      const [piece, next] = charClass(glob, at);
      out += piece;
      at = next;
    } else {
      if (glob[at] === '\\' && at + 1 < glob.length) at += 1;
      out += escaped(glob[at]!);
      at += 1;
    }
  }
  return new RegExp(`^(?:${out})$`, 's');
}

/** `[a-z]` or `[!a-z]`; without its end the bracket is an ordinary character. */
function charClass(glob: string, at: number): [piece: string, next: number] {
  let start = at + 1;
  const negated = glob[start] === '!' || glob[start] === '^';
  if (negated) start += 1;
  const end = glob.indexOf(']', start + 1);
  if (end < 0) return ['\\[', at + 1];
  const inner = glob
    .slice(start, end)
    .replaceAll('\\', '')
    .replace(/[[\]^]/g, '\\$&');
  return [`(?!/)[${negated ? '^' : ''}${inner}]`, end + 1];
}

const escaped = (char: string): string => char.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
