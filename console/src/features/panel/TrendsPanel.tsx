/** The trends with their filters; those who may not look at everybody's see their own and their projects'. */
import { useQuery } from '@tanstack/react-query';
import { listProjects, projectKeys } from '@/api/rules/projects';
import { useT } from '@/app/i18n';
import { useMayEverywhere, useMe } from '@/app/session';
import { JOB_CLASSES } from '@/parts/ClassChoice';
import { className } from '@/parts/quotas/words';
import { TrendChart } from '@/parts/trends/TrendChart';
import { usePeople } from '@/parts/people/usePeople';
import { FilterSelect } from '@/ui/form/FilterSelect';
import { NameFilter } from '@/ui/form/NameFilter';
import { Panel } from '@/ui/page/Panel';
import type { PanelSearch } from './search';
import style from './PanelPage.module.css';

interface Props {
  models: string[];
  search: PanelSearch;
  onChange: (part: Partial<PanelSearch>) => void;
}

export function TrendsPanel({ models, search, onChange }: Props) {
  const t = useT();
  const me = useMe().name;
  const everybody = useMayEverywhere('usage:read');
  const people = usePeople();
  const projects = useQuery({ queryKey: projectKeys.all, queryFn: ({ signal }) => listProjects(signal) });
  const open =
    projects.data?.filter(({ my_role: role }) => everybody || role !== null).map(({ name }) => ({ value: name, label: name })) ?? [];
  const { project, model, class: jobClass } = search;
  const user = everybody ? search.user : project === undefined ? me : undefined;
  return (
    <Panel title={t('panel.trends')}>
      <search className={style.filters} aria-label={t('panel.trendFilters')}>
        <FilterSelect
          label={t('panel.project')}
          any={t(everybody ? 'panel.anyProject' : 'panel.mineOnly')}
          choices={open}
          value={project}
          onChange={(value) => onChange({ project: value })}
        />
        {everybody && (
          <NameFilter
            label={t('panel.user')}
            any={t('panel.anyUser')}
            names={people}
            value={search.user}
            onChange={(value) => onChange({ user: value })}
          />
        )}
        <FilterSelect
          label={t('quota.class')}
          any={t('class.all')}
          choices={JOB_CLASSES.map((value) => ({ value, label: className(value, t) }))}
          value={jobClass}
          onChange={(value) => onChange({ class: value })}
        />
        <FilterSelect
          label={t('flavors.gpuModel')}
          any={t('panel.anyModel')}
          choices={models.map((value) => ({ value, label: value }))}
          value={model}
          onChange={(value) => onChange({ model: value })}
        />
      </search>
      <TrendChart project={project} user={user} model={model} jobClass={jobClass} />
    </Panel>
  );
}
