/** One role: how many tasks, what they run, how large they are, and what of it is not as the job has it. */
import { ActionIcon } from '@mantine/core';
import { useSentence, useT } from '@/app/i18n';
import { writeNumber } from '@/parts/quantities';
import { Icon } from '@/ui/icons';
import { shapeOfRole, strategyOf, WORKER } from '../frameworks';
import { entriesAt, textAt, valueAt } from '../file/reading';
import { AdviceAt } from './AdviceAt';
import { useForm, useMistake } from './context';
import { Count, Proposed, Usual } from './Count';
import { Fold } from './Fold';
import { TextField } from './fields';
import { Image, imageInShort } from './Image';
import { Policies, policiesInShort } from './Policies';
import { Processes } from './Processes';
import { Rows } from './Rows';
import { Command, namesInShort } from './Run';
import { SizeFields } from './SizeFields';
import ink from '@/ui/theme/ink.module.css';
import style from './Form.module.css';

interface Props {
  place: number;
  name: string;
  only: boolean;
  /** The focus needs another place. */
  onRemoved: () => void;
}

export function Role({ place, name, only, onRemoved }: Props) {
  const t = useT();
  const say = useSentence();
  const { file, choices, apply } = useForm();
  const strategy = strategyOf(file, choices.frameworks);
  const shape = shapeOfRole(strategy, name);
  const base = ['roles', place];
  const at = (key: string) => [...base, key];
  const title = name || t('role.unnamed', { place: place + 1 });
  const needed = shape !== undefined && shape.least > 0;
  return (
    <div className={style.card} role="group" aria-label={t('role.title', { name: title })}>
      <div className={style.cardHead}>
        <h3 className={ink.heading}>{t('role.title', { name: title })}</h3>
        {!only && !needed && (
          <ActionIcon
            aria-label={t('role.remove', { name: title })}
            title={t('role.remove', { name: title })}
            onClick={() => (apply([{ path: base }]), onRemoved())}
          >
            <Icon name="trash" size={14} />
          </ActionIcon>
        )}
      </div>
      {shape && <p className={style.help}>{say(shape.about)}</p>}
      <AdviceAt path={base} />
      <div className={style.triple}>
        {!shape && <TextField path={at('name')} label={t('form.name')} mono required keep />}
        <Tasks place={place} name={name} />
        {(!strategy || strategy.elastic || valueAt(file, at('min')) !== undefined) && (
          <TextField path={at('min')} label={t('role.min')} usual={textAt(file, at('replicas')) || '1'} write={writeNumber} numeric />
        )}
        {strategy?.processes && <Processes base={base} />}
      </div>
      {name === WORKER ? <Proposed path={at('replicas')} /> : <Usual path={at('replicas')} role={name} />}
      <Command path={at('command')} />
      <SizeFields base={base} role={title} withGpus={shape?.gpus ?? true} />
      <Fold title={t('image.title')} summary={imageInShort(file, base, t)} paths={[at('image')]}>
        <Image base={base} />
      </Fold>
      <Fold title={t('form.env')} summary={namesInShort(entriesAt(file, at('env')), t)} paths={[at('env')]}>
        <p className={style.help}>{t('role.envHelp')}</p>
        <Rows path={at('env')} noun={t('form.variable')} add={t('form.addVariable')} />
      </Fold>
      <Fold title={t('form.policies')} summary={policiesInShort(file, strategy, base, t)} paths={[at('on'), at('restarts'), at('serves')]}>
        <Policies base={base} />
        {!shape && <Serves place={place} />}
      </Fold>
    </div>
  );
}

/** Where the strategy has exactly one of them, there is nothing to ask. */
function Tasks({ place, name }: { place: number; name: string }) {
  const t = useT();
  const { file, choices } = useForm();
  const path = ['roles', place, 'replicas'];
  const shape = shapeOfRole(strategyOf(file, choices.frameworks), name);
  if (shape?.least === 1 && shape.most === 1 && Number(valueAt(file, path) ?? 1) === 1) return null;
  return <Count path={path} label={t('role.replicas')} role={name} />;
}

function Serves({ place }: { place: number }) {
  const t = useT();
  const { file, apply } = useForm();
  const path = ['roles', place, 'serves'];
  const error = useMistake(path);
  return (
    <div className={style.field}>
      <label className={style.check}>
        <input
          type="checkbox"
          checked={valueAt(file, path) === true}
          onChange={(event) => apply([{ path, value: event.currentTarget.checked || undefined }])}
        />
        {t('role.serves')}
        <span className={style.help}>{t('role.servesHelp')}</span>
      </label>
      {error && <p className={ink.error}>{error}</p>}
    </div>
  );
}
