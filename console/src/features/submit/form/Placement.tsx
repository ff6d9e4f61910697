/** Where and when: what goes first, how long it may take, which machines. */
import { useT } from '@/app/i18n';
import { described } from '@/parts/built-in';
import type { Translate } from '@/app/i18n';
import type { JobFile } from '@/api/jobs';
import { entriesAt, taskCount, textAt } from '../file/reading';
import { openPriorities } from '../useChoices';
import { fieldId, useForm, useMistake } from './context';
import { Fold } from './Fold';
import { ChoiceField, TextAreaField, TextField } from './fields';
import { Rows } from './Rows';
import { Section } from './Section';
import ink from '@/ui/theme/ink.module.css';
import style from './Form.module.css';

export function Placement() {
  const t = useT();
  const { file, choices } = useForm();
  const open = openPriorities(file, choices);
  const priority = textAt(file, ['priority']) || 'normal';
  const chosen = open.find(({ name }) => name === priority);
  const asksWhy = chosen?.needs_reason || file.justification !== undefined;
  return (
    <Section name="where">
      <div className={style.triple}>
        <ChoiceField
          path={['priority']}
          label={t('form.priority')}
          help={chosen && described('priority', chosen, t)}
          choices={open.map(({ name }) => ({ value: name, label: name }))}
          standard="normal"
        />
        <TextField path={['expected_time']} label={t('form.expected')} help={t('form.expectedHelp')} />
        <TextField path={['max_time']} label={t('form.max')} help={t('form.maxHelp')} example="1d" />
      </div>
      {asksWhy && (
        <TextAreaField path={['justification']} label={t('form.justification')} help={t('form.justificationHelp')} rows={2} required />
      )}
      <Fold
        title={t('form.machinesChoice')}
        summary={inShort(file, t)}
        paths={[['node_selector'], ['topology'], ['preemptible'], ['network']]}
      >
        <Machines />
      </Fold>
    </Section>
  );
}

function Machines() {
  const t = useT();
  const { file, choices } = useForm();
  const labels = labelsOf(choices.nodes);
  const error = useMistake(['node_selector']);
  return (
    <>
      <div className={style.field}>
        <span className={style.label}>{t('form.selector')}</span>
        <p className={style.help}>{t('form.selectorHelp')}</p>
      </div>
      <Rows path={['node_selector']} noun={t('form.label')} add={t('form.addLabel')} offers={labels} />
      {error && <p className={ink.error}>{error}</p>}
      {(taskCount(file) > 1 || file.topology !== undefined) && (
        <div className={style.pair}>
          <TextField path={['topology', 'same']} label={t('form.same')} help={t('form.sameHelp')} offers={Object.keys(labels)} mono />
          <TextField path={['topology', 'prefer']} label={t('form.prefer')} help={t('form.preferHelp')} offers={Object.keys(labels)} mono />
        </div>
      )}
      <ChoiceField path={['network']} label={t('form.network')} help={t('form.networkHelp')} choices={networks(t)} standard={USUAL} />
      <Preemptible />
    </>
  );
}

const USUAL = '';

function networks(t: Translate): { value: string; label: string }[] {
  return [
    { value: USUAL, label: t('form.networkUsual') },
    { value: 'none', label: t('form.networkNone') },
    { value: 'registries', label: t('form.networkRegistries') },
    { value: 'all', label: t('form.networkAll') },
    { value: 'shared', label: t('form.networkShared') },
  ];
}

function Preemptible() {
  const t = useT();
  const { file, apply } = useForm();
  const error = useMistake(['preemptible']);
  return (
    <div className={style.field}>
      <label className={style.check}>
        <input
          type="checkbox"
          id={fieldId(['preemptible'])}
          checked={file.preemptible !== false}
          onChange={(event) => apply([{ path: ['preemptible'], value: event.currentTarget.checked ? undefined : false }])}
        />
        {t('form.preemptible')}
        <span className={style.help}>{t('form.preemptibleHelp')}</span>
      </label>
      {error && <p className={ink.error}>{error}</p>}
    </div>
  );
}

/** Every label of the machines, with the values it has. */
function labelsOf(nodes: readonly { labels: Record<string, string> }[]): Record<string, string[]> {
  const found = new Map<string, Set<string>>();
  for (const { labels } of nodes) {
    for (const [name, value] of Object.entries(labels)) found.set(name, (found.get(name) ?? new Set()).add(value));
  }
  return Object.fromEntries([...found].toSorted().map(([name, values]) => [name, [...values].toSorted()]));
}

function inShort(file: JobFile, t: Translate): string {
  const parts = entriesAt(file, ['node_selector']).map(([name, value]) => `${name}=${String(value)}`);
  const same = textAt(file, ['topology', 'same']);
  const prefer = textAt(file, ['topology', 'prefer']);
  if (same) parts.push(t('form.sameShort', { label: same }));
  if (prefer) parts.push(t('form.preferShort', { label: prefer }));
  const network = textAt(file, ['network']);
  if (network) parts.push(t('form.networkShort', { network }));
  if (file.preemptible === false) parts.push(t('form.notPreemptible'));
  return parts.join(' · ') || t('form.anyMachine');
}
