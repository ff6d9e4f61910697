/** A limit: new, or changed. */
import { NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { listProjects, projectKeys } from '@/api/rules/projects';
import type { JobClass } from '@/api/rules/flavors';
import { ruleKeys } from '@/api/rules/keys';
import { createLimit, editLimit } from '@/api/rules/limits';
import type { Limit, LimitCreate } from '@/api/rules/limits';
import type { MessageKey } from '@/app/i18n';
import { useT } from '@/app/i18n';
import { JOB_CLASSES } from '@/parts/ClassChoice';
import { NameField } from '@/parts/NameField';
import { usePeople } from '@/parts/people/usePeople';
import { className } from '@/parts/quotas/words';
import { useSave } from '@/parts/useSave';
import { formatCount } from '@/ui/words/format';
import { Suggested } from '@/ui/form/Suggested';
import { FormDialog } from '@/ui/dialog/FormDialog';
import style from '@/ui/table/lists.module.css';

const FIELDS = ['name', 'user', 'project', 'class', 'gpus', 'max_time'] as const;

/** Each for itself, all together, or one by name. */
type Whom = 'each' | 'all' | 'one';

interface Draft {
  name: string;
  users: Whom;
  user: string;
  projects: Whom;
  project: string;
  class: JobClass | '';
  gpus: string;
  max_time: string;
}

const FRESH: Draft = { name: '', users: 'each', user: '', projects: 'all', project: '', class: '', gpus: '', max_time: '' };
const USER_WORDS: Record<Whom, MessageKey> = { each: 'limits.eachUser', all: 'limits.allUsers', one: 'limits.oneUser' };
const PROJECT_WORDS: Record<Whom, MessageKey> = { each: 'limits.eachProject', all: 'limits.allProjects', one: 'limits.oneProject' };
const WHOM = ['each', 'all', 'one'] as const;

export default function LimitForm({ limit, onClose }: { limit: Limit | undefined; onClose: () => void }) {
  const t = useT();
  const [draft, setDraft] = useState(() => (limit ? draftOf(limit) : FRESH));
  const people = usePeople();
  const projects = useQuery({ queryKey: projectKeys.all, queryFn: ({ signal }) => listProjects(signal) });
  const save = useSave({
    save: () => {
      const { name, ...rest } = toSend(draft);
      return limit ? editLimit(limit.name, rest) : createLimit({ name, ...rest });
    },
    close: onClose,
    said: ({ name }) => t('list.saved', { name }),
    invalidate: [ruleKeys.all],
    fields: FIELDS,
  });
  const change = (part: Partial<Draft>) => {
    setDraft((old) => ({ ...old, ...part }));
    save.reset();
  };
  const { mistakes } = save;
  const choices = (words: Record<Whom, MessageKey>) => WHOM.map((value) => ({ value, label: t(words[value]) }));
  return (
    <FormDialog
      title={limit ? t('list.edit', { name: limit.name }) : t('limits.new')}
      action={t(limit ? 'action.save' : 'limits.create')}
      busy={save.isPending}
      error={save.untold}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      {!limit && <NameField value={draft.name} error={mistakes.name} onChange={(name) => change({ name })} />}
      <div className={style.pair}>
        <NativeSelect
          label={t('limits.user')}
          data={choices(USER_WORDS)}
          error={draft.users === 'one' ? undefined : mistakes.user}
          value={draft.users}
          onChange={(event) => change({ users: event.currentTarget.value as Whom })}
        />
        {draft.users === 'one' && (
          <Suggested
            required
            withAsterisk={false}
            label={t('limits.oneUser')}
            names={people}
            error={mistakes.user}
            value={draft.user}
            onChange={(user) => change({ user })}
          />
        )}
      </div>
      <div className={style.pair}>
        <NativeSelect
          label={t('limits.project')}
          data={choices(PROJECT_WORDS)}
          error={draft.projects === 'one' ? undefined : mistakes.project}
          value={draft.projects}
          onChange={(event) => change({ projects: event.currentTarget.value as Whom })}
        />
        {draft.projects === 'one' && (
          <Suggested
            required
            withAsterisk={false}
            label={t('limits.oneProject')}
            names={projects.data?.map(({ name }) => name) ?? []}
            error={mistakes.project}
            value={draft.project}
            onChange={(project) => change({ project })}
          />
        )}
      </div>
      <NativeSelect
        label={t('quota.class')}
        data={[{ value: '', label: t('class.all') }, ...JOB_CLASSES.map((value) => ({ value, label: className(value, t) }))]}
        error={mistakes.class}
        value={draft.class}
        onChange={(event) => change({ class: event.currentTarget.value as Draft['class'] })}
      />
      <div className={style.pair}>
        <TextInput
          label={t('limits.gpus')}
          description={t('limits.emptyHint')}
          inputMode="decimal"
          autoComplete="off"
          error={mistakes.gpus}
          value={draft.gpus}
          onChange={(event) => change({ gpus: event.currentTarget.value })}
        />
        <TextInput
          label={t('limits.time')}
          description={t('limits.timeHint')}
          autoComplete="off"
          error={mistakes.max_time}
          value={draft.max_time}
          onChange={(event) => change({ max_time: event.currentTarget.value })}
        />
      </div>
    </FormDialog>
  );
}

function draftOf(limit: Limit): Draft {
  const { name, user, project, gpus, max_time } = limit;
  return {
    name,
    users: whomOf(user),
    user: user ?? '',
    projects: whomOf(project),
    project: project ?? '',
    class: limit.class ?? '',
    gpus: gpus === null ? '' : formatCount(gpus),
    max_time: max_time ?? '',
  };
}

function toSend({ name, users, user, projects, project, class: jobClass, gpus, max_time }: Draft): LimitCreate {
  const cards = gpus.trim() === '' ? null : Number.isNaN(Number(gpus)) ? gpus : Number(gpus);
  return {
    name: name.trim(),
    user: nameOf(users, user),
    project: nameOf(projects, project),
    class: jobClass || null,
    gpus: cards as number | null,
    max_time: max_time.trim() || null,
  };
}

const whomOf = (name: string | null): Whom => (name === null ? 'all' : name === '*' ? 'each' : 'one');
const nameOf = (whom: Whom, name: string): string | null => (whom === 'all' ? null : whom === 'each' ? '*' : name.trim());
