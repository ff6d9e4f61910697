/** The administrators' part of a project: its share, its bounds, where it runs, which priorities it may use. */
import '@/ui/theme/kit-forms.css';
import { Button, Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { useState } from 'react';
import { clusterKeys, listClusters } from '@/api/clusters';
import { listPriorities, priorityKeys } from '@/api/rules/priorities';
import { editProject, projectKeys } from '@/api/rules/projects';
import type { Project } from '@/api/rules/projects';
import { useT } from '@/app/i18n';
import { Refused } from '@/parts/Refused';
import { useSave } from '@/parts/useSave';
import { CheckList } from '@/ui/form/CheckList';
import { Panel } from '@/ui/page/Panel';
import { AmountFields } from './AmountFields';
import { draftOf, readDraft } from './rules-draft';
import type { RulesDraft } from './rules-draft';
import layout from '@/ui/page/layout.module.css';
import ink from '@/ui/theme/ink.module.css';
import style from './Projects.module.css';

const AT_FIELDS = ['weight', 'guarantee', 'cap', 'node_selector', 'priorities', 'open', 'reclaimable'];

export function RulesForm({ project }: { project: Project }) {
  const t = useT();
  // Only what was typed: the rest follows what the server has.
  const [typed, setTyped] = useState<Partial<RulesDraft>>({});
  const draft = { ...draftOf(project), ...typed };
  const clusters = useQuery({ queryKey: clusterKeys.all, queryFn: ({ signal }) => listClusters(signal) });
  const priorities = useQuery({ queryKey: priorityKeys.all, queryFn: ({ signal }) => listPriorities(signal) });
  const { change: said, wrong } = readDraft(draft, typed);
  const save = useSave({
    save: () => editProject(project.name, said),
    said: t('projects.saved'),
    invalidate: [projectKeys.all],
    after: () => setTyped({}),
    fields: AT_FIELDS,
  });
  const change = (part: Partial<RulesDraft>) => {
    setTyped((old) => ({ ...old, ...part }));
    save.reset();
  };
  const { mistakes } = save;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  const names = [...new Set([...(clusters.data?.map(({ name }) => name) ?? []), ...(draft.cluster ? [draft.cluster] : [])])];
  const classes = [...new Set([...(priorities.data?.map(({ name }) => name) ?? []), ...draft.priorities])];
  return (
    <Panel title={t('projects.rules')}>
      <form className={layout.form} onSubmit={submit}>
        <p className={ink.quiet}>{t('projects.rulesText')}</p>
        <div className={style.grid}>
          <TextInput
            label={t('projects.weight')}
            description={t('projects.weightHint')}
            inputMode="decimal"
            error={mistakes.weight ?? (wrong.has('weight') && t('projects.noNumber'))}
            value={draft.weight}
            onChange={(event) => change({ weight: event.currentTarget.value })}
          />
          <NativeSelect
            label={t('projects.cluster')}
            description={t('projects.clusterHint')}
            data={[{ value: '', label: t('projects.anyCluster') }, ...names]}
            value={draft.cluster}
            onChange={(event) => change({ cluster: event.currentTarget.value })}
          />
        </div>
        <div className={style.grid}>
          <AmountFields
            legend={t('projects.guarantee')}
            hint={t('projects.guaranteeHint')}
            place="guarantee"
            draft={draft.guarantee}
            wrong={wrong}
            error={mistakes.guarantee}
            onChange={(part) => change({ guarantee: { ...draft.guarantee, ...part } })}
          />
          <AmountFields
            legend={t('projects.cap')}
            hint={t('projects.capHint')}
            place="cap"
            draft={draft.cap}
            wrong={wrong}
            error={mistakes.cap}
            onChange={(part) => change({ cap: { ...draft.cap, ...part } })}
          />
        </div>
        <div className={style.grid}>
          <Textarea
            label={t('projects.selector')}
            description={t('projects.selectorHint')}
            rows={3}
            spellCheck={false}
            classNames={{ input: 'mono' }}
            error={mistakes.node_selector ?? (wrong.has('labels') && t('projects.noPairs'))}
            value={draft.labels}
            onChange={(event) => change({ labels: event.currentTarget.value })}
          />
          <CheckList
            label={t('projects.priorities')}
            description={t('projects.prioritiesHint')}
            error={mistakes.priorities}
            options={classes.map((name) => ({ value: name, label: name }))}
            chosen={draft.priorities}
            onChange={(chosen) => change({ priorities: chosen })}
          />
        </div>
        <Checkbox
          label={t('projects.open')}
          description={t('projects.openHint')}
          error={mistakes.open}
          checked={draft.open}
          onChange={(event) => change({ open: event.currentTarget.checked })}
        />
        <Checkbox
          label={t('projects.reclaimable')}
          description={t('projects.reclaimableHint')}
          error={mistakes.reclaimable}
          checked={draft.reclaimable}
          onChange={(event) => change({ reclaimable: event.currentTarget.checked })}
        />
        <Refused error={save.untold} />
        <div className={layout.buttons}>
          <Button type="submit" disabled={wrong.size > 0 || Object.keys(typed).length === 0} loading={save.isPending}>
            {t('clusters.save')}
          </Button>
        </div>
      </form>
    </Panel>
  );
}
