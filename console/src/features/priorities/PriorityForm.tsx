/** A priority class: new, or changed. */
import { Switch, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ruleKeys } from '@/api/rules/keys';
import { createPriority, editPriority } from '@/api/rules/priorities';
import type { PriorityClass, PriorityCreate } from '@/api/rules/priorities';
import type { MessageKey } from '@/app/i18n';
import { useT } from '@/app/i18n';
import { useSave } from '@/parts/useSave';
import { formatCount } from '@/ui/words/format';
import { FormDialog } from '@/ui/dialog/FormDialog';
import style from '@/ui/table/lists.module.css';

const TEXTS = ['name', 'value', 'groups', 'projects', 'budget', 'description'] as const;
const SWITCHES = ['may_preempt', 'may_be_preempted', 'needs_reason'] as const;

type TextKey = (typeof TEXTS)[number];
type Draft = Record<TextKey, string> & Record<(typeof SWITCHES)[number], boolean>;

const FRESH: Draft = {
  name: '',
  value: '',
  groups: '',
  projects: '',
  budget: '',
  description: '',
  may_preempt: false,
  may_be_preempted: true,
  needs_reason: false,
};
const SWITCH_WORDS: Record<(typeof SWITCHES)[number], [label: MessageKey, hint: MessageKey]> = {
  may_preempt: ['priorities.mayPush', 'priorities.mayPushHint'],
  may_be_preempted: ['priorities.mayYield', 'priorities.mayYieldHint'],
  needs_reason: ['priorities.needsReason', 'priorities.needsReasonHint'],
};

export default function PriorityForm({ priority, onClose }: { priority: PriorityClass | undefined; onClose: () => void }) {
  const t = useT();
  const [draft, setDraft] = useState(() => (priority ? draftOf(priority) : FRESH));
  const save = useSave({
    save: () => {
      const { name, ...rest } = toSend(draft);
      return priority ? editPriority(priority.name, rest) : createPriority({ name, ...rest });
    },
    close: onClose,
    said: ({ name }) => t('list.saved', { name }),
    invalidate: [ruleKeys.all],
    fields: TEXTS,
  });
  const change = (part: Partial<Draft>) => {
    setDraft((old) => ({ ...old, ...part }));
    save.reset();
  };
  const { mistakes } = save;
  const text = (key: TextKey, label: MessageKey, hint?: MessageKey, more = {}) => (
    <TextInput
      label={t(label)}
      description={hint && t(hint)}
      error={mistakes[key]}
      autoComplete="off"
      spellCheck={false}
      value={draft[key]}
      onChange={(event) => change({ [key]: event.currentTarget.value })}
      {...more}
    />
  );
  return (
    <FormDialog
      title={priority ? t('list.edit', { name: priority.name }) : t('priorities.new')}
      action={t(priority ? 'action.save' : 'priorities.create')}
      busy={save.isPending}
      error={save.untold}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <div className={style.pair}>
        {!priority &&
          text('name', 'jobs.name', 'list.nameRule', { 'data-autofocus': true, required: true, withAsterisk: false, maxLength: 63 })}
        {text('value', 'priorities.value', 'priorities.valueHint', {
          inputMode: 'numeric',
          required: true,
          withAsterisk: false,
          ...(priority && { 'data-autofocus': true }),
        })}
      </div>
      {text('groups', 'priorities.groups', 'priorities.groupsHint')}
      {text('projects', 'priorities.projects', 'priorities.projectsHint')}
      {SWITCHES.map((key) => (
        <Switch
          key={key}
          label={t(SWITCH_WORDS[key][0])}
          description={t(SWITCH_WORDS[key][1])}
          checked={draft[key]}
          onChange={(event) => change({ [key]: event.currentTarget.checked })}
        />
      ))}
      {text('budget', 'priorities.budget', 'priorities.budgetHint', { inputMode: 'decimal' })}
      {text('description', 'list.description', undefined, { maxLength: 1000, spellCheck: true })}
    </FormDialog>
  );
}

function draftOf({
  name,
  value,
  groups,
  projects,
  budget,
  description,
  may_preempt,
  may_be_preempted,
  needs_reason,
}: PriorityClass): Draft {
  return {
    name,
    value: String(value),
    groups: groups.join(', '),
    projects: projects.join(', '),
    budget: budget === null ? '' : formatCount(budget),
    description,
    may_preempt,
    may_be_preempted,
    needs_reason,
  };
}

/** What is no number goes as it is: the server says what is wrong with it. */
function toSend({ name, value, groups, projects, budget, description, ...switches }: Draft): PriorityCreate {
  return {
    ...switches,
    name: name.trim(),
    value: number(value) as number,
    groups: wordsOf(groups),
    projects: wordsOf(projects),
    budget: (budget.trim() === '' ? null : number(budget)) as number | null,
    description: description.trim(),
  };
}

const wordsOf = (text: string): string[] => text.split(/[\s,;]+/).filter(Boolean);
const number = (text: string): number | string => (text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text));
