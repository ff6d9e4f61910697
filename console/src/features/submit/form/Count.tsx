/** How many tasks a role has: its bounds and what is usual beside the field, and the number that would fit now, to be taken. */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { frameworkKeys, proposeRoles } from '@/api/frameworks';
import type { FrameworkPropose, ProposedRole } from '@/api/frameworks';
import type { JobFile } from '@/api/jobs';
import { useSentence, useT } from '@/app/i18n';
import type { Edit, Path } from '@/parts/jobs/job-file-edit';
import { writeNumber } from '@/parts/quantities';
import { rangeInWords } from '../file/bounds';
import { roleBounds, shapeOfRole, strategyOf, usualCount, WORKER, workersIn } from '../frameworks';
import { rolesOf, textAt, valueAt } from '../file/reading';
import { useForm } from './context';
import { TextField } from './fields';
import style from './Form.module.css';

/** The queue moves, and with it what fits. */
const AGAIN_MS = 20_000;

interface Props {
  path: Path;
  label: string;
  /** The role that is counted. */
  role: string;
  /** What to say of a number that no strategy bounds. */
  help?: string | undefined;
  /** The file must name it. */
  required?: boolean;
}

export function Count({ path, label, role, help, required = false }: Props) {
  const t = useT();
  const say = useSentence();
  const { file, choices } = useForm();
  const shape = shapeOfRole(strategyOf(file, choices.frameworks), role);
  const range = shape && roleBounds(shape, workersIn(file));
  // That there must be one goes without saying.
  const bounds = range && (range.least > 1 || range.most !== null) ? rangeInWords(range, t) : undefined;
  const usual = !required && shape?.usual ? say(shape.usual) : undefined;
  return (
    <TextField
      path={path}
      label={label}
      help={[bounds, usual, help].filter(Boolean).join(' · ')}
      usual={required ? undefined : '1'}
      write={writeNumber}
      numeric
      keep={required}
      required={required}
    />
  );
}

/** How many workers would fit, and what goes with them: taken together, where the file asks for another number. */
export function Proposed({ path }: { path: Path }) {
  const t = useT();
  const say = useSentence();
  const { file, choices, apply } = useForm();
  const proposed = useProposal();
  const workers = proposed.find(({ name }) => name === WORKER);
  if (!workers || workers.replicas < 1 || workers.replicas === Number(textAt(file, path) || 1)) return null;
  const strategy = strategyOf(file, choices.frameworks);
  const others = rolesOf(file).flatMap((role, place) => {
    const found = proposed.find(({ name }) => name === textAt(role, ['name']) && shapeOfRole(strategy, name)?.one_for);
    return found ? [{ ...found, base: ['roles', place] }] : [];
  });
  const take = () =>
    apply([
      { path, value: workers.replicas },
      ...others.flatMap(({ base, ...role }) => [{ path: [...base, 'replicas'], value: role.replicas }, ...sizeEdits(file, base, role)]),
    ]);
  const numbers = [workers, ...others].map(({ name, replicas }) => (others.length > 0 ? `${replicas} ${name}` : String(replicas)));
  return (
    <p className={style.proposal}>
      <span>{say(workers.why)}</span>
      <Button variant="default" size="compact-xs" onClick={take}>
        {t('framework.use', { count: numbers.join(' + ') })}
      </Button>
    </p>
  );
}

/** Of a role that serves the workers, as many as are usual beside them. */
export function Usual({ path, role }: { path: Path; role: string }) {
  const t = useT();
  const { file, choices, apply } = useForm();
  const shape = shapeOfRole(strategyOf(file, choices.frameworks), role);
  const usual = shape && usualCount(shape, workersIn(file));
  if (usual === undefined || usual === Number(textAt(file, path) || 1)) return null;
  return (
    <p className={style.proposal}>
      <Button variant="default" size="compact-xs" onClick={() => apply([{ path, value: usual }])}>
        {t('framework.useUsual', { count: usual })}
      </Button>
    </p>
  );
}

/** A role that belongs on other machines than the job's size asks for gets the size that is proposed for it. */
function sizeEdits(file: JobFile, base: Path, { flavor, resources }: Pick<ProposedRole, 'flavor' | 'resources'>): Edit[] {
  const sized = valueAt(file, [...base, 'flavor']) !== undefined || valueAt(file, [...base, 'resources']) !== undefined;
  if (sized) return [];
  if (resources) return [{ path: [...base, 'resources'], value: resources }];
  return flavor && flavor !== textAt(file, ['flavor']) ? [{ path: [...base, 'flavor'], value: flavor }] : [];
}

function useProposal(): ProposedRole[] {
  const { file, choices } = useForm();
  const strategy = strategyOf(file, choices.frameworks);
  const asked: FrameworkPropose = {
    framework: textAt(file, ['framework']),
    strategy: strategy?.name ?? null,
    project: textAt(file, ['project']) || 'public',
    ...sizeOf(file),
  };
  const proposal = useQuery({
    queryKey: frameworkKeys.proposal(asked),
    queryFn: ({ signal }) => proposeRoles(asked, signal),
    enabled: strategy !== undefined,
    refetchInterval: AGAIN_MS,
    retry: false,
  });
  return proposal.data?.roles ?? [];
}

/** The size of the job's tasks, or else of its workers. */
function sizeOf(file: JobFile): Pick<FrameworkPropose, 'flavor' | 'resources'> {
  const workers = rolesOf(file).find((role) => textAt(role, ['name']) === WORKER);
  for (const holder of [workers, file]) {
    const flavor = textAt(holder, ['flavor']);
    const resources = valueAt(holder, ['resources']);
    if (flavor !== '') return { flavor };
    if (resources && typeof resources === 'object') return { resources: resources as NonNullable<FrameworkPropose['resources']> };
  }
  return {};
}
