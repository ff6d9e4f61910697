/** What the job is called, whose it is, and what kind. */
import { Button, Checkbox, SegmentedControl } from '@mantine/core';
import type { Project } from '@/api/rules/projects';
import { useT } from '@/app/i18n';
import { useMayEverywhere } from '@/app/session';
import { described } from '@/parts/built-in';
import { rekind } from '../file/shapes';
import { textAt } from '../file/reading';
import { fieldId, useForm, useMistake } from './context';
import { ChoiceField, TextAreaField, TextField } from './fields';
import { Section } from './Section';
import ink from '@/ui/theme/ink.module.css';
import style from './Form.module.css';

export function Basics() {
  const t = useT();
  const { choices, file } = useForm();
  const writesAll = useMayEverywhere('project:write');
  const project = textAt(file, ['project']) || 'public';
  const known = choices.projects.find(({ name }) => name === project);
  const open = choices.projects.filter((each) => each.name === project || (!each.closed && mayQueue(each, writesAll)));
  return (
    <Section name="basics">
      <Kind />
      <div className={style.pair}>
        <Name />
        <ChoiceField
          path={['project']}
          label={t('form.project')}
          help={known?.closed ? t('form.projectClosed') : (known && described('project', known, t)) || t('form.projectHelp')}
          choices={open.map(({ name }) => ({ value: name, label: name }))}
          standard="public"
        />
      </div>
      <TextAreaField path={['description']} label={t('form.description')} help={t('form.descriptionHelp')} rows={1} />
    </Section>
  );
}

/** As the server decides: everybody in an open project, its members, and those who may write any. */
const mayQueue = ({ open, my_role: role }: Project, writesAll: boolean): boolean =>
  open || writesAll || (role !== null && role !== 'viewer');

function Name() {
  const t = useT();
  const { file, apply, shown, run = 1, replaces, setReplaces } = useForm();
  const better = shown.find(({ loc }) => loc.join('.') === 'name')?.suggestion;
  return (
    <div className={style.field}>
      <TextField path={['name']} label={t('form.jobName')} help={t('form.nameRule')} example="bert-pretrain" required keep />
      {better && (
        <Button variant="default" size="compact-xs" onClick={() => apply([{ path: ['name'], value: better }])}>
          {t('form.useName', { name: better })}
        </Button>
      )}
      {!better && run > 1 && (
        <>
          <p className={style.help}>{t('form.nextRun', { name: textAt(file, ['name']), run })}</p>
          <Checkbox
            size="xs"
            label={t('form.replaces')}
            checked={replaces}
            onChange={(event) => setReplaces(event.currentTarget.checked)}
          />
        </>
      )}
    </div>
  );
}

function Kind() {
  const t = useT();
  const { file, apply } = useForm();
  const error = useMistake(['kind']);
  const kind = textAt(file, ['kind']);
  return (
    <div className={style.field} id={fieldId(['kind'])}>
      <SegmentedControl
        aria-label={t('form.kind')}
        data={[
          { value: 'training', label: t('kind.training') },
          { value: 'workspace', label: t('kind.workspace') },
        ]}
        value={kind === 'workspace' ? 'workspace' : kind === 'training' ? 'training' : ''}
        onChange={(value) => apply(rekind(file, value as 'training' | 'workspace'))}
      />
      <p className={style.help}>
        {kind === 'workspace' ? t('form.workspaceHelp') : t('form.trainingHelp')} {t('form.kindAndClass')}
      </p>
      {error && <p className={ink.error}>{error}</p>}
    </div>
  );
}
