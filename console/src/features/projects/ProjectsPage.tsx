/** The projects: queues that people share. Everybody sees them, asks to join, and may make one. */
import '@/ui/theme/kit-forms.css';
import { Button, SegmentedControl } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import { lazy, useMemo, useState } from 'react';
import { listProjects, projectKeys } from '@/api/rules/projects';
import type { Project } from '@/api/rules/projects';
import { useT } from '@/app/i18n';
import { described } from '@/parts/built-in';
import type { Translate } from '@/app/i18n';
import { useLive } from '@/app/queries';
import { useMay } from '@/app/session';
import { MEMBER_WORDS } from '@/parts/people/words';
import { useList } from '@/parts/useList';
import { DataTable } from '@/ui/table/DataTable';
import type { Column } from '@/ui/table/DataTable';
import { Icon } from '@/ui/icons';
import { Panel } from '@/ui/page/Panel';
import { SearchBox } from '@/ui/form/SearchBox';
import { ListPage } from '@/ui/page/ListPage';
import { EmptyState } from '@/ui/page/States';
import type { ProjectsSearch } from './search';
import { useAsked } from './useAsked';
import lists from '@/ui/table/lists.module.css';
import ink from '@/ui/theme/ink.module.css';
import style from './Projects.module.css';

const NewProject = lazy(() => import('./NewProject'));
const JoinProject = lazy(() => import('./JoinProject'));
const route = getRouteApi('/app/projects');

export function ProjectsPage() {
  const t = useT();
  useLive('rules');
  useLive('users');
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const mayCreate = useMay('project:create');
  const mayAsk = useMay('request:write');
  const [open, setOpen] = useState<{ join: string } | 'new' | null>(null);
  const close = () => setOpen(null);
  const projects = useList(projectKeys.all, listProjects);
  const waiting = useAsked();
  const columns = useMemo(() => columnsOf(t, waiting, mayAsk ? (join) => setOpen({ join }) : undefined), [t, waiting, mayAsk]);
  const rows = useMemo(() => matching(projects.rows, search), [projects.rows, search]);
  const change = (part: Partial<ProjectsSearch>) => void navigate({ search: (old) => ({ ...old, ...part }), replace: true });
  const create = mayCreate && (
    <Button leftSection={<Icon name="plus" />} onClick={() => setOpen('new')}>
      {t('projects.new')}
    </Button>
  );
  const filters = (
    <search className={lists.filters} aria-label={t('projects.filters')}>
      <SearchBox
        label={t('projects.search')}
        hint={t('projects.searchHint')}
        value={search.search ?? ''}
        onChange={(text) => change({ search: text || undefined })}
      />
      <SegmentedControl
        aria-label={t('projects.which')}
        data={[
          { value: 'all', label: t('projects.all') },
          { value: 'yes', label: t('projects.mine') },
        ]}
        value={search.mine ?? 'all'}
        onChange={(value) => change({ mine: value === 'yes' ? 'yes' : undefined })}
      />
    </search>
  );
  return (
    <ListPage
      title={t('nav.projects')}
      actions={create}
      above={filters}
      list={{ ...projects, rows }}
      bones={6}
      none={<NoneMatch search={search} onReset={() => change({ search: undefined, mine: undefined })} />}
      dialogs={open === 'new' ? <NewProject onClose={close} /> : open && <JoinProject project={open.join} onClose={close} />}
    >
      {(shown) => (
        <Panel flush>
          <DataTable label={t('nav.projects')} columns={columns} rows={shown} rowKey={({ name }) => name} />
        </Panel>
      )}
    </ListPage>
  );
}

function NoneMatch({ search, onReset }: { search: ProjectsSearch; onReset: () => void }) {
  const t = useT();
  const reset = (
    <Button variant="default" onClick={onReset}>
      {t('projects.showAll')}
    </Button>
  );
  if (search.search)
    return (
      <EmptyState icon="filter" title={t('projects.noMatch')} action={reset}>
        {t('projects.noMatchText')}
      </EmptyState>
    );
  return (
    <EmptyState icon="projects" title={t('projects.noneMine')} action={reset}>
      {t('projects.noneMineText')}
    </EmptyState>
  );
}

function matching(projects: Project[], { search, mine }: ProjectsSearch): Project[] {
  const wanted = search?.toLowerCase() ?? '';
  return projects.filter(
    ({ name, description, my_role }) => (!mine || my_role !== null) && `${name} ${description}`.toLowerCase().includes(wanted),
  );
}

function columnsOf(t: Translate, waiting: ReadonlySet<string>, onJoin: ((project: string) => void) | undefined): Column<Project>[] {
  return [
    {
      id: 'name',
      header: t('jobs.name'),
      width: '180px',
      cell: ({ name }) => (
        <Link to="/projects/$project" params={{ project: name }} className={ink.strong} title={name}>
          {name}
        </Link>
      ),
    },
    {
      id: 'role',
      header: t('projects.myRole'),
      width: '200px',
      cell: ({ name, my_role, open }) => {
        if (my_role) return t(MEMBER_WORDS[my_role]);
        if (open) return t('projects.openToAll');
        if (waiting.has(name)) return <span className={ink.quiet}>{t('projects.asked')}</span>;
        if (!onJoin) return <span className={ink.quiet}>–</span>;
        return (
          <button type="button" className={style.inline} aria-label={t('projects.joinName', { name })} onClick={() => onJoin(name)}>
            {t('projects.join')}
          </button>
        );
      },
    },
    { id: 'members', header: t('projects.members'), width: '88px', hideBelow: 'phone', cell: ({ members }) => members },
    {
      id: 'share',
      header: t('projects.share'),
      width: '200px',
      hideBelow: 'tablet',
      cell: ({ weight }) =>
        weight === null ? <span className={ink.quiet}>{t('projects.drawsOnPublic')}</span> : t('projects.weightOf', { weight }),
    },
    {
      id: 'state',
      header: t('people.state'),
      width: '96px',
      hideBelow: 'phone',
      cell: ({ closed }) => (closed ? <span className={style.closed}>{t('projects.closed')}</span> : t('projects.takesJobs')),
    },
    {
      id: 'description',
      header: t('groups.description'),
      hideBelow: 'phone',
      cell: (project) => (
        <span title={described('project', project, t)}>{described('project', project, t) || <span className={ink.quiet}>–</span>}</span>
      ),
    },
  ];
}
