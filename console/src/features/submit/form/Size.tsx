/** How much: the shape of the job, and the size of its tasks. */
import { SegmentedControl } from '@mantine/core';
import { useRef } from 'react';
import type { Strategy } from '@/api/frameworks';
import type { MessageKey } from '@/app/i18n';
import { useT } from '@/app/i18n';
import { roomFor, sizeAt, suiting } from '../file/bounds';
import { leaderOf, needsRoles, strategyOf, WORKER } from '../frameworks';
import { entriesAt, isWorkspace, rolesOf, textAt, valueAt } from '../file/reading';
import { writeNumber } from '@/parts/quantities';
import { reshape, shapeOf, SHAPES, shelve } from '../file/shapes';
import type { Shape, Shelf } from '../file/shapes';
import { fieldId, useForm, useMistake } from './context';
import { Count, Proposed } from './Count';
import { Fitting } from './Fitting';
import { Fold } from './Fold';
import { TextField } from './fields';
import { QuotaLeft } from './QuotaLeft';
import { Processes } from './Processes';
import { Roles } from './Roles';
import { Section } from './Section';
import { SizeFields } from './SizeFields';
import ink from '@/ui/theme/ink.module.css';
import style from './Form.module.css';

const WORDS: Record<Shape, { name: MessageKey; help: MessageKey }> = {
  single: { name: 'shape.single', help: 'shape.singleHelp' },
  several: { name: 'shape.several', help: 'shape.severalHelp' },
  total: { name: 'shape.total', help: 'shape.totalHelp' },
  roles: { name: 'shape.roles', help: 'shape.rolesHelp' },
};

export function Size() {
  const t = useT();
  const { file, choices } = useForm();
  const shape = shapeOf(file);
  const strategy = strategyOf(file, choices.frameworks);
  const offered = shapesFor(strategy, shape);
  const roles = rolesOf(file);
  const shared =
    shape === 'roles' && roles.some((role) => valueAt(role, ['resources']) === undefined && valueAt(role, ['flavor']) === undefined);
  return (
    <Section name="size">
      {offered.length > 1 && (!isWorkspace(file) || shape !== 'single') ? <ShapeChoice shape={shape} offered={offered} /> : null}
      {shape === 'several' && <Machines strategy={strategy} />}
      {shape === 'roles' && <Roles />}
      {(shape === 'several' || shape === 'roles') &&
        (strategy === undefined || (file.min !== undefined && (shape === 'roles' || !strategy.elastic))) && <Fewer />}
      {(shape === 'single' || shape === 'total') && strategy?.processes && (
        <div className={style.pair}>
          <Processes base={[]} />
        </div>
      )}
      {(shape !== 'roles' || shared) && (
        <div className={shape === 'roles' ? style.card : style.stack}>
          {shape === 'roles' && <h3 className={ink.heading}>{t('form.sharedSize')}</h3>}
          <SizeFields base={[]} whole={shape === 'total'} />
          {(shape === 'single' || shape === 'several') && <Fitting />}
        </div>
      )}
      <QuotaLeft />
    </Section>
  );
}

/** Those that the strategy can be in, and the one that the file is of. */
function shapesFor(strategy: Strategy | undefined, shape: Shape): readonly Shape[] {
  if (strategy === undefined) return SHAPES;
  const fitting = (each: Shape) => {
    if (each === 'roles') return strategy.roles.length > 1;
    if (needsRoles(strategy)) return false;
    return each === 'several' || !strategy.elastic;
  };
  return SHAPES.filter((each) => each === shape || fitting(each));
}

function ShapeChoice({ shape, offered }: { shape: Shape; offered: readonly Shape[] }) {
  const t = useT();
  const { file, choices, apply } = useForm();
  const shelf = useRef<Shelf>({});
  const errors = [useMistake(['roles']), useMistake(['nodes'])];
  const change = (to: Shape) => {
    const before = shelf.current;
    shelf.current = shelve(file, before);
    apply(reshape(file, to, before, leaderOf(strategyOf(file, choices.frameworks))));
  };
  return (
    <div className={style.field} id={shape === 'several' ? undefined : fieldId(['nodes'])}>
      <SegmentedControl
        aria-label={t('form.shape')}
        data={offered.map((value) => ({ value, label: t(WORDS[value].name) }))}
        value={shape}
        onChange={(value) => change(value as Shape)}
      />
      <p className={style.help}>{t(WORDS[shape].help)}</p>
      {shape !== 'several' &&
        errors.map(
          (error) =>
            error && (
              <p key={error} className={ink.error}>
                {error}
              </p>
            ),
        )}
    </div>
  );
}

function Machines({ strategy }: { strategy: Strategy | undefined }) {
  const t = useT();
  const { file, choices } = useForm();
  const machines = suiting(choices.nodes, entriesAt(file, ['node_selector']));
  const room = roomFor(machines, sizeAt(file, choices.flavors));
  const help = machines.length > 0 ? t('form.machinesRoom', { count: room }) : undefined;
  return (
    <>
      <div className={style.pair}>
        <Count path={['nodes']} label={t('form.machines')} role={WORKER} help={help} required />
        {strategy?.elastic && (
          <TextField
            path={['min']}
            label={t('form.min')}
            help={t('framework.minHelp')}
            usual={textAt(file, ['nodes'])}
            write={writeNumber}
            numeric
          />
        )}
        {strategy?.processes && <Processes base={[]} />}
      </div>
      <Proposed path={['nodes']} />
    </>
  );
}

/** An elastic job need not wait for all of its tasks. */
function Fewer() {
  const t = useT();
  const { file } = useForm();
  const min = textAt(file, ['min']);
  return (
    <Fold title={t('form.fewer')} summary={min ? t('form.fewerShort', { count: min }) : t('form.fewerNone')} paths={[['min']]}>
      <div className={style.pair}>
        <TextField path={['min']} label={t('form.min')} help={t('form.minHelp')} write={writeNumber} numeric />
      </div>
    </Fold>
  );
}
