/** What is wrong with a job file, each at its path: what the browser is sure of at once, the rest from the server. */
import type { Framework } from '@/api/frameworks';
import type { JobFile } from '@/api/jobs';
import type { FieldError } from '@/api/problem';
import type { Text } from '@/api/types';
import type { Translate } from '@/app/i18n';
import type { Path } from '@/parts/jobs/job-file-edit';
import { rangeInWords } from './bounds';
import { roleBounds, shapeOfRole, strategyOf, workersIn } from '../frameworks';
import { isWorkspace, rolesOf, textAt, valueAt } from './reading';
import { placeInForm } from './sections';

/** As the server's own rule. */
const JOB_NAME = /^[A-Za-z0-9_-]{4,63}$/;

/** Only what is certain without asking: the server repeats it, in the same words. */
export function certainMistakes(file: JobFile, t: Translate): FieldError[] {
  const found: FieldError[] = [];
  const missing = (loc: FieldError['loc'], message: string) => found.push({ loc, code: 'missing', message });
  const name = textAt(file, ['name']);
  if (name === '') missing(['name'], t('mistake.missing', { field: 'name' }));
  else if (!JOB_NAME.test(name))
    found.push({
      loc: ['name'],
      code: 'bad_form',
      message: t('mistake.name', { value: name }),
      value: name,
      suggestion: nearestName(name),
    });
  if (isWorkspace(file) || !isBlank(file.command)) return found;
  const roles = rolesOf(file);
  const lacking = roles.map((role) => isBlank(valueAt(role, ['command'])));
  if (file.roles === undefined || file.roles === null || (roles.length > 0 && lacking.every(Boolean))) {
    missing(['command'], t('mistake.command'));
    return found;
  }
  for (const [place, lacks] of lacking.entries()) {
    if (lacks) missing(['roles', place, 'command'], t('mistake.roleCommand'));
  }
  return found;
}

/** Roles with fewer or more tasks than their strategy allows, in the server's words. */
export function beyondBounds(file: JobFile, frameworks: readonly Framework[], t: Translate, say: (text: Text) => string): FieldError[] {
  const strategy = strategyOf(file, frameworks);
  return rolesOf(file).flatMap((role, place): FieldError[] => {
    const name = textAt(role, ['name']);
    const asked = valueAt(role, ['replicas']) ?? 1;
    const shape = shapeOfRole(strategy, name);
    if (!shape || typeof asked !== 'number') return [];
    const { least, most } = roleBounds(shape, workersIn(file));
    if (asked >= least && (most === null || asked <= most)) return [];
    const range = [rangeInWords({ least, most }, t), shape.usual ? say(shape.usual) : '']
      .filter((words) => words !== '')
      .join(t('framework.comma'));
    return [
      {
        loc: ['roles', place, 'replicas'],
        code: 'out_of_range',
        message: t('mistake.roleBounds', { name, range, asked }),
        value: asked,
        bound: asked < least ? least : most,
      },
    ];
  });
}

function isBlank(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

/** Mistakes found a moment ago that still hold: nothing was changed where they are. */
export function stillTrue(errors: readonly FieldError[], checked: JobFile, now: JobFile): FieldError[] {
  const same = (path: Path) => JSON.stringify(valueAt(checked, path)) === JSON.stringify(valueAt(now, path));
  return errors.filter(({ loc }) => same(loc));
}

/** The first of these wins where several speak of one place; what is said of a part need not be said of the whole. */
/** As the server makes it: `sweep-lr-0-1` of `sweep-lr-0.1`, `hf-job` of `hf`. */
export function nearestName(text: string): string {
  const name = text
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 63)
    .replace(/-+$/, '');
  return name.length >= 4 ? name : name === '' ? 'some-job' : `${name}-job`;
}

export function merged(...lists: (readonly FieldError[])[]): FieldError[] {
  const all = lists.flat();
  const within = ({ loc, code }: FieldError) =>
    code === 'contradiction' && all.some((other) => other.loc.length > loc.length && isInside(other.loc, loc));
  // One command of the job is enough for all its roles.
  const wanted = all.some(isMissingCommand(1));
  const seen = new Set<string>();
  return all.filter((error) => {
    const place = error.loc.join('.');
    if ((error.loc.length > 0 && seen.has(place)) || within(error) || (wanted && isMissingCommand(3)(error))) return false;
    seen.add(place);
    return true;
  });
}

/** Of the job, or of a role, which stands deeper. */
const isMissingCommand =
  (depth: number) =>
  ({ loc, code }: FieldError): boolean =>
    code === 'missing' && loc.length === depth && loc.at(-1) === 'command';

/** As the form goes from top to bottom. */
export function inOrder(errors: readonly FieldError[]): FieldError[] {
  return errors.toSorted((a, b) => placeInForm(a.loc[0]) - placeInForm(b.loc[0]));
}

export function isInside(path: Path, holder: Path): boolean {
  return holder.every((part, depth) => String(path[depth]) === String(part));
}
