/** The filters above the queue: GPU model, owner, project; the address holds them. */
import '@/ui/theme/kit-forms.css';
import { ActionIcon, NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ClassBacklog, Lane } from '@/api/queue';
import { listProjects, projectKeys } from '@/api/rules/projects';
import { useT } from '@/app/i18n';
import { Icon } from '@/ui/icons';
import { countOf, modelsOf } from './lanes';
import { isFiltered } from './search';
import type { QueueSearch } from './search';
import { modelName } from './words';
import lists from '@/ui/table/lists.module.css';
import style from './Queue.module.css';

interface Props {
  search: QueueSearch;
  all: { lanes: Lane[]; classes: ClassBacklog[] };
  onChange: (part: Partial<QueueSearch>) => void;
  onReset: () => void;
}

export function QueueFilters({ search, all, onChange, onReset }: Props) {
  const t = useT();
  const { data: projects } = useQuery({ queryKey: projectKeys.all, queryFn: ({ signal }) => listProjects(signal) });
  const names = withChosen(
    (projects ?? []).map((project) => project.name),
    search.project,
  );
  const others = search.owner && search.owner !== 'me' ? [{ value: search.owner, label: search.owner }] : [];
  return (
    <search className={lists.filters} aria-label={t('queue.filters')}>
      <Models search={search} all={all} onChange={onChange} />
      <NativeSelect
        aria-label={t('queue.owner')}
        className={style.filter}
        data={[{ value: '', label: t('queue.everyone') }, { value: 'me', label: t('queue.mine') }, ...others]}
        value={search.owner ?? ''}
        onChange={(event) => onChange({ owner: event.currentTarget.value || undefined })}
      />
      <NativeSelect
        aria-label={t('queue.project')}
        className={style.filter}
        data={[{ value: '', label: t('queue.anyProject') }, ...names]}
        value={search.project ?? ''}
        onChange={(event) => onChange({ project: event.currentTarget.value || undefined })}
      />
      {isFiltered(search) && (
        <ActionIcon aria-label={t('queue.reset')} title={t('queue.reset')} onClick={onReset}>
          <Icon name="close" />
        </ActionIcon>
      )}
    </search>
  );
}

/** One button for each model that somebody waits for. */
function Models({ search, all, onChange }: Omit<Props, 'onReset'>) {
  const t = useT();
  const models = withChosen(modelsOf(all.lanes, { class: search.class }), search.lane);
  if (models.length < 2 && search.lane === undefined) return null;
  return (
    <fieldset className={lists.chips}>
      <legend className="visually-hidden">{t('queue.model')}</legend>
      {models.map((model) => (
        <button
          key={model}
          type="button"
          className={`${lists.chip} ${style.chip}`}
          aria-pressed={search.lane === model}
          onClick={() => onChange({ lane: search.lane === model ? undefined : model })}
        >
          {modelName(model, t)} <span className={style.count}>{countOf(all, { class: search.class, gpu_model: model }).waiting}</span>
        </button>
      ))}
    </fieldset>
  );
}

/** What was chosen stays to be seen, also when nobody waits there any longer. */
function withChosen(names: string[], chosen: string | undefined): string[] {
  return chosen === undefined || names.includes(chosen) ? names : [...names, chosen];
}
