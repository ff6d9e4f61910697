/** What is filtered, one chip for each; pressing one takes it away. */
import { useT } from '@/app/i18n';
import { KIND_WORDS } from '@/parts/jobs/size';
import { Icon } from '@/ui/icons';
import { isFiltered } from '../search';
import type { JobsSearch } from '../search';
import { STATE_WORDS } from '../words';
import style from './Filters.module.css';

interface Chip {
  filter: string;
  value: string;
  /** What takes it away. */
  change: Partial<JobsSearch>;
}

interface Props {
  search: JobsSearch;
  onChange: (change: Partial<JobsSearch>) => void;
  onReset: () => void;
}

export function FilterChips({ search, onChange, onReset }: Props) {
  const t = useT();
  if (!isFiltered(search)) return null;
  const { search: text, owner, state = [], kind, project } = search;
  const without = (gone: string) => {
    const rest = state.filter((other) => other !== gone);
    return { state: rest.length > 0 ? rest : undefined };
  };
  const chips: Chip[] = state.map((one) => ({ filter: t('jobs.state'), value: t(STATE_WORDS[one]), change: without(one) }));
  if (kind) chips.push({ filter: t('jobs.kind'), value: t(KIND_WORDS[kind]), change: { kind: undefined } });
  if (project) chips.push({ filter: t('jobs.project'), value: project, change: { project: undefined } });
  if (owner) chips.unshift({ filter: t('jobs.owner'), value: owner === 'me' ? t('jobs.me') : owner, change: { owner: undefined } });
  if (text) chips.unshift({ filter: t('jobs.name'), value: text, change: { search: undefined } });
  return (
    <ul className={style.chips} aria-label={t('jobs.active')}>
      {chips.map(({ filter, value, change }) => {
        const words = t('jobs.chip', { filter, value });
        return (
          <li key={words}>
            <button
              type="button"
              className={style.chip}
              aria-label={t('jobs.removeFilter', { filter: words })}
              onClick={() => onChange(change)}
            >
              {words}
              <Icon name="close" size={12} />
            </button>
          </li>
        );
      })}
      <li>
        <button type="button" className={style.reset} onClick={onReset}>
          {t('jobs.reset')}
        </button>
      </li>
    </ul>
  );
}
