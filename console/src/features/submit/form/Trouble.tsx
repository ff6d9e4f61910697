/** When things go wrong: what each trouble leads to, how often to try again, and where progress is saved. */
import type { JobFile } from '@/api/types';
import type { MessageKey, Translate } from '@/app/i18n';
import { useT } from '@/app/i18n';
import { entriesAt, textAt } from '../reading';
import { writeNumber } from '@/parts/quantities';
import { useForm } from './context';
import { Fold } from './Fold';
import { ChoiceField, TextField } from './fields';
import { Section } from './Section';
import style from './Form.module.css';

const TROUBLES: [name: string, label: MessageKey][] = [
  ['task_failed', 'trouble.taskFailed'],
  ['out_of_memory', 'trouble.outOfMemory'],
  ['node_lost', 'trouble.nodeLost'],
];
const REMEDIES: [name: string, label: MessageKey][] = [
  ['fail', 'remedy.fail'],
  ['restart_job', 'remedy.restart'],
  ['requeue', 'remedy.requeue'],
  ['complete', 'remedy.complete'],
];
const AGAIN = new Set(['restart_job', 'requeue']);

export function Trouble() {
  const t = useT();
  const { file } = useForm();
  const again = triesAgain(file);
  return (
    <Section name="trouble">
      <Fold title={t('form.policies')} summary={inShort(file, t)} paths={[['on'], ['restarts']]}>
        <div className={style.triple}>
          {TROUBLES.map(([name, label]) => (
            <ChoiceField key={name} path={['on', name]} label={t(label)} choices={REMEDIES.map(([value, word]) => ({ value, label: t(word) }))} standard="fail" />
          ))}
        </div>
        {(again || file.restarts !== undefined) && (
          <div className={style.pair}>
            <TextField path={['restarts']} label={t('form.restarts')} help={t('form.restartsHelp')} placeholder={again ? '3' : '0'} write={writeNumber} numeric />
          </div>
        )}
      </Fold>
      <Fold title={t('form.checkpoint')} summary={checkpointInShort(file, t)} paths={[['checkpoint']]}>
        <div className={style.pair}>
          <TextField path={['checkpoint', 'path']} label={t('form.checkpointPath')} help={t('form.checkpointPathHelp')} placeholder="/mnt/lin/checkpoints" mono />
          <TextField path={['checkpoint', 'grace']} label={t('form.grace')} help={t('form.graceHelp')} placeholder="30s" />
        </div>
      </Fold>
    </Section>
  );
}

export function triesAgain(file: JobFile): boolean {
  return entriesAt(file, ['on']).some(([, remedy]) => AGAIN.has(String(remedy)));
}

function inShort(file: JobFile, t: Translate): string {
  const told = TROUBLES.flatMap(([name, label]) => {
    const remedy = REMEDIES.find(([value]) => value === textAt(file, ['on', name]));
    return remedy ? [`${t(label)}: ${t(remedy[1])}`] : [];
  });
  if (told.length === 0) return t('form.policiesNone');
  const times = textAt(file, ['restarts']) || (triesAgain(file) ? '3' : '0');
  return [...told, t('form.restartsShort', { count: times })].join(' · ');
}

function checkpointInShort(file: JobFile, t: Translate): string {
  const path = textAt(file, ['checkpoint', 'path']);
  const grace = textAt(file, ['checkpoint', 'grace']) || '30s';
  return path ? t('form.checkpointShort', { path, grace }) : t('form.graceShort', { grace });
}
