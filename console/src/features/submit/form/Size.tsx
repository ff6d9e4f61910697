/** How much: the shape of the job, and the size of its tasks. */
import { SegmentedControl } from '@mantine/core';
import { useRef } from 'react';
import type { MessageKey } from '@/app/i18n';
import { useT } from '@/app/i18n';
import { roomFor, sizeAt, suiting } from '../bounds';
import { entriesAt, isWorkspace, rolesOf, textAt, valueAt } from '../reading';
import { writeNumber } from '@/parts/quantities';
import { reshape, shapeOf, SHAPES, shelve } from '../shapes';
import type { Shape, Shelf } from '../shapes';
import { fieldId, useForm, useMistake } from './context';
import { Fitting } from './Fitting';
import { Fold } from './Fold';
import { TextField } from './fields';
import { Roles } from './Roles';
import { Section } from './Section';
import { SizeFields } from './SizeFields';
import style from './Form.module.css';

const WORDS: Record<Shape, { name: MessageKey; help: MessageKey }> = {
  single: { name: 'shape.single', help: 'shape.singleHelp' },
  several: { name: 'shape.several', help: 'shape.severalHelp' },
  total: { name: 'shape.total', help: 'shape.totalHelp' },
  roles: { name: 'shape.roles', help: 'shape.rolesHelp' },
};

export function Size() {
  const t = useT();
  const { file } = useForm();
  const shape = shapeOf(file);
  const roles = rolesOf(file);
  const shared = shape === 'roles' && roles.some((role) => valueAt(role, ['resources']) === undefined && valueAt(role, ['flavor']) === undefined);
  return (
    <Section name="size">
      {!isWorkspace(file) || shape !== 'single' ? <ShapeChoice shape={shape} /> : null}
      {shape === 'several' && <Machines />}
      {shape === 'roles' && <Roles />}
      {(shape === 'several' || shape === 'roles') && <Fewer />}
      {(shape !== 'roles' || shared) && (
        <div className={shape === 'roles' ? style.card : style.stack}>
          {shape === 'roles' && <h3 className={style.cardTitle}>{t('form.sharedSize')}</h3>}
          <SizeFields base={[]} whole={shape === 'total'} />
          {(shape === 'single' || shape === 'several') && <Fitting />}
        </div>
      )}
    </Section>
  );
}

function ShapeChoice({ shape }: { shape: Shape }) {
  const t = useT();
  const { file, apply } = useForm();
  const shelf = useRef<Shelf>({});
  const errors = [useMistake(['roles']), useMistake(['nodes'])];
  const change = (to: Shape) => {
    const before = shelf.current;
    shelf.current = shelve(file, before);
    apply(reshape(file, to, before));
  };
  return (
    <div className={style.field} id={shape === 'several' ? undefined : fieldId(['nodes'])}>
      <SegmentedControl
        aria-label={t('form.shape')}
        data={SHAPES.map((value) => ({ value, label: t(WORDS[value].name) }))}
        value={shape}
        onChange={(value) => change(value as Shape)}
      />
      <p className={style.help}>{t(WORDS[shape].help)}</p>
      {shape !== 'several' && errors.map((error) => error && <p key={error} className={style.error}>{error}</p>)}
    </div>
  );
}

function Machines() {
  const t = useT();
  const { file, choices } = useForm();
  const machines = suiting(choices.nodes, entriesAt(file, ['node_selector']));
  const room = roomFor(machines, sizeAt(file, choices.flavors));
  const help = machines.length > 0 ? t('form.machinesRoom', { count: room }) : undefined;
  return (
    <div className={style.pair}>
      <TextField path={['nodes']} label={t('form.machines')} help={help} write={writeNumber} numeric keep required />
    </div>
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
