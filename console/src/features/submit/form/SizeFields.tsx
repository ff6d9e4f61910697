/** The size of a task, of the whole job, or of a role: a flavor, or numbers of one's own. */
import { SegmentedControl } from '@mantine/core';
import type { Flavor } from '@/api/rules/flavors';
import { useT } from '@/app/i18n';
import type { Path } from '@/parts/jobs/job-file-edit';
import { formatBytes, formatCount } from '@/ui/words/format';
import { altogether, gpuSteps, largest, sizeAt, suiting } from '../file/bounds';
import { entriesAt, modelsIn, textAt, valueAt } from '../file/reading';
import { parseSize, writeNumber } from '@/parts/quantities';
import { openFlavors } from '../useChoices';
import { AdviceAt } from './AdviceAt';
import { fieldId, useForm, useMistake } from './context';
import { FlavorChoice } from './FlavorChoice';
import { Fold } from './Fold';
import { TextField } from './fields';
import { ModelChoice } from './ModelChoice';
import ink from '@/ui/theme/ink.module.css';
import style from './Form.module.css';

type Source = 'shared' | 'flavor' | 'own';

interface Props {
  base: Path;
  /** The numbers are for all tasks together. */
  whole?: boolean;
  /** A role's, which may leave it to the job. */
  role?: string;
  /** It has a use for GPUs. */
  withGpus?: boolean;
}

export function SizeFields({ base, whole = false, role, withGpus = true }: Props) {
  const t = useT();
  const { file, choices, apply } = useForm();
  const flavors = openFlavors(file, choices.flavors).filter(({ resources }) => withGpus || resources.gpus === 0);
  const flavor = textAt(file, [...base, 'flavor']);
  const byName = valueAt(file, [...base, 'flavor']) !== undefined;
  const error = useMistake([...base, 'flavor']);
  const shared = role !== undefined && !byName && valueAt(file, [...base, 'resources']) === undefined;
  const numbers = () =>
    numbersOf(choices.flavors.find(({ name }) => name === flavor)) ??
    valueAt(file, [...base, 'resources']) ??
    (role === undefined ? undefined : (valueAt(file, ['resources']) ?? { cpus: 1 }));
  const choose = (source: Source) =>
    apply([
      { path: [...base, 'flavor'], value: source === 'flavor' ? (flavors[0]?.name ?? '') : undefined },
      { path: [...base, 'resources'], value: source === 'own' ? numbers() : undefined },
    ]);
  const sources: { value: Source; label: string }[] = [{ value: 'own', label: t('form.byNumbers') }];
  if (flavors.length > 0 || byName) sources.unshift({ value: 'flavor', label: t('form.byFlavor') });
  if (role !== undefined) sources.unshift({ value: 'shared', label: t('role.sharedSize') });
  return (
    <>
      {sources.length > 1 && (
        <div id={shared ? fieldId([...base, 'flavor']) : undefined}>
          <SegmentedControl
            aria-label={role === undefined ? t('form.sizeBy') : t('role.size', { name: role })}
            data={sources}
            value={shared ? 'shared' : byName ? 'flavor' : 'own'}
            onChange={(source) => choose(source as Source)}
          />
        </div>
      )}
      {shared && error && <p className={ink.error}>{error}</p>}
      {shared && <AdviceAt path={[...base, 'flavor']} />}
      {shared ? null : byName ? (
        <FlavorChoice path={[...base, 'flavor']} withGpus={withGpus} />
      ) : (
        <Numbers base={base} whole={whole} withGpus={withGpus} />
      )}
    </>
  );
}

function Numbers({ base, whole, withGpus }: Required<Omit<Props, 'role'>>) {
  const t = useT();
  const { file, choices, apply, given } = useForm();
  const at = (key: string) => [...base, 'resources', key];
  const machines = suiting(choices.nodes, entriesAt(file, ['node_selector']));
  const size = sizeAt(valueAt(file, base), []);
  const models = modelsIn(valueAt(file, at('gpu')));
  const most = whole ? altogether(machines, models) : largest(machines, size.gpus > 0 ? models : []);
  const cards = whole ? most : largest(machines, models);
  const known = machines.length > 0;
  const part = given.find(({ loc }) => loc.join('.') === [...base, 'resources'].join('.'));
  const upTo = (count: string) => (known ? (whole ? t('form.upToAll', { count }) : t('form.upTo', { count })) : undefined);
  return (
    <>
      {(withGpus || size.gpus > 0) && (
        <div className={style.gpus}>
          <TextField
            path={at('gpus')}
            label={whole ? t('form.gpusAll') : t('form.gpus')}
            help={known && cards.gpus === 0 ? t('form.noGpus') : upTo(formatCount(cards.gpus))}
            usual="0"
            write={writeNumber}
            numeric
          />
          <div className={style.steps} role="group" aria-label={t('form.gpuSteps')}>
            {gpuSteps(cards.gpus)
              .filter((count) => !whole || count > 0)
              .map((count) => (
                <button
                  key={count}
                  type="button"
                  className={style.chip}
                  aria-pressed={size.gpus === count}
                  onClick={() => apply([{ path: at('gpus'), value: count === 0 ? undefined : count }])}
                >
                  {count}
                </button>
              ))}
          </div>
        </div>
      )}
      {(size.gpus > 0 || models.length > 0) && <ModelChoice path={at('gpu')} machines={machines} />}
      <div className={style.triple}>
        <TextField
          path={at('cpus')}
          label={whole ? t('form.cpusAll') : t('form.cpus')}
          help={upTo(formatCount(most.cpus))}
          usual={formatCount(part?.cpus ?? 1)}
          write={writeNumber}
          numeric
        />
        <TextField
          path={at('memory')}
          label={whole ? t('form.memoryAll') : t('form.memory')}
          help={upTo(formatBytes(most.memory))}
          usual={part ? formatBytes(part.memory) : '2 GiB'}
          settle={withUnit}
        />
      </div>
      {part && (
        <p className={style.proposal}>
          {t('form.given', { cpus: part.cpus, memory: formatBytes(part.memory), shm: formatBytes(part.shm), gpus: size.gpus })}
        </p>
      )}
      <Fold title={t('form.shm')} summary={textAt(file, at('shm')) || t('form.shmNone')} paths={[at('shm')]}>
        <div className={style.pair}>
          <TextField
            path={at('shm')}
            label={t('form.shm')}
            help={t('form.shmHelp')}
            usual={formatBytes(part?.shm ?? 0)}
            settle={withUnit}
          />
        </div>
      </Fold>
    </>
  );
}

/** A bare number of bytes is nobody's wish: it means GiB. */
function withUnit(text: string): string {
  return /^\d+(\.\d+)?$/.test(text.trim()) && Number(text) > 0 ? `${text.trim()}GiB` : text.trim();
}

function numbersOf(flavor: Flavor | undefined): Record<string, unknown> | undefined {
  if (!flavor) return undefined;
  const { cpus, memory, gpus, gpu, shm } = flavor.resources;
  return { cpus, memory, ...(gpus > 0 && { gpus }), ...(gpu && { gpu }), ...((parseSize(shm) ?? 0) > 0 && { shm }) };
}
