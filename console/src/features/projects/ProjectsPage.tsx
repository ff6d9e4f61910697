/** The projects: queues that people share. Everybody sees them, asks to join, and may make one. */
import '@/ui/theme/kit-forms.css';
import { Button, SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { lazy, Suspense, useMemo, useState } from 'react';
import { keys } from '@/api/keys';
import { listProjects } from '@/api/rules';
import type { Project } from '@/api/types';
import { useT } from '@/app/i18n';
import type { Translate } from '@/app/i18n';
import { pollWithoutLive, useLive } from '@/app/queries';
import { useMay } from '@/app/session';
import { MEMBER_WORDS } from '@/parts/people/words';
import { DataTable } from '@/ui/table/DataTable';
import type { Column } from '@/ui/table/DataTable';
import { Icon } from '@/ui/icons';
import { Page, Panel } from '@/ui/page/Panel';
import { SearchBox } from '@/ui/form/SearchBox';
import { EmptyState, ErrorState, Skeleton } from '@/ui/page/States';
import type { ProjectsSearch } from './search';
import { useAsked } from './useAsked';
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
  const projects = useQuery({ queryKey: keys.projects, queryFn: ({ signal }) => listProjects(signal), refetchInterval: pollWithoutLive });
  const waiting = useAsked();
  const columns = useMemo(() => columnsOf(t, waiting, mayAsk ? (join) => setOpen({ join }) : undefined), [t, waiting, mayAsk]);
  const rows = useMemo(() => matching(projects.data ?? [], search), [projects.data, search]);
  const change = (part: Partial<ProjectsSearch>) => void navigate({ search: (old) => ({ ...old, ...part }), replace: true });
  const create = mayCreate && <Button leftSection={<Icon name="plus" />} onClick={() => setOpen('new')}>{t('projects.new')}</Button>;
  return (
    <Page title={t('nav.projects')} actions={create}>
      <search className={style.filters} aria-label={t('projects.filters')}>
        <SearchBox label={t('projects.search')} hint={t('projects.searchHint')} value={search.search ?? ''} onChange={(text) => change({ search: text || undefined })} />
        <SegmentedControl
          aria-label={t('projects.which')}
          data={[{ value: 'all', label: t('projects.all') }, { value: 'yes', label: t('projects.mine') }]}
          value={search.mine ?? 'all'}
          onChange={(value) => change({ mine: value === 'yes' ? 'yes' : undefined })}
        />
      </search>
      {projects.isPending && <Skeleton rows={6} />}
      {projects.isError && !projects.data && <ErrorState error={projects.error} retry={() => void projects.refetch()} />}
      {projects.data && rows.length === 0 && <NoneMatch search={search} onReset={() => change({ search: undefined, mine: undefined })} />}
      {rows.length > 0 && <Panel flush><DataTable label={t('nav.projects')} columns={columns} rows={rows} rowKey={({ name }) => name} /></Panel>}
      <Suspense fallback={null}>
        {open === 'new' && <NewProject onClose={close} />}
        {open !== null && open !== 'new' && <JoinProject project={open.join} onClose={close} />}
      </Suspense>
    </Page>
  );
}

function NoneMatch({ search, onReset }: { search: ProjectsSearch; onReset: () => void }) {
  const t = useT();
  const reset = <Button variant="default" onClick={onReset}>{t('projects.showAll')}</Button>;
  if (search.search) return <EmptyState icon="filter" title={t('projects.noMatch')} action={reset}>{t('projects.noMatchText')}</EmptyState>;
  return <EmptyState icon="projects" title={t('projects.noneMine')} action={reset}>{t('projects.noneMineText')}</EmptyState>;
}

function matching(projects: Project[], { search, mine }: ProjectsSearch): Project[] {
  const wanted = search?.toLowerCase() ?? '';
  return projects.filter(({ name, description, my_role }) => (!mine || my_role !== null) && `${name} ${description}`.toLowerCase().includes(wanted));
}

function columnsOf(t: Translate, waiting: ReadonlySet<string>, onJoin: ((project: string) => void) | undefined): Column<Project>[] {
  return [
    { id: 'name', header: t('jobs.name'), width: '180px', cell: ({ name }) => <Link to="/projects/$project" params={{ project: name }} className={style.name} title={name}>{name}</Link> },
    {
      id: 'role',
      header: t('projects.myRole'),
      width: '200px',
      cell: ({ name, my_role, open }) => {
        if (my_role) return t(MEMBER_WORDS[my_role]);
        if (open) return t('projects.openToAll');
        if (waiting.has(name)) return <span className={style.quiet}>{t('projects.asked')}</span>;
        if (!onJoin) return <span className={style.quiet}>–</span>;
        return <button type="button" className={style.inline} aria-label={t('projects.joinName', { name })} onClick={() => onJoin(name)}>{t('projects.join')}</button>;
      },
    },
    { id: 'members', header: t('projects.members'), width: '88px', hideBelow: 'phone', cell: ({ members }) => members },
    { id: 'share', header: t('projects.share'), width: '200px', hideBelow: 'tablet', cell: ({ weight }) => (weight === null ? <span className={style.quiet}>{t('projects.drawsOnPublic')}</span> : t('projects.weightOf', { weight })) },
    { id: 'state', header: t('people.state'), width: '96px', hideBelow: 'phone', cell: ({ closed }) => (closed ? <span className={style.closed}>{t('projects.closed')}</span> : t('projects.takesJobs')) },
    { id: 'description', header: t('groups.description'), hideBelow: 'phone', cell: ({ description }) => <span title={description}>{description || <span className={style.quiet}>–</span>}</span> },
  ];
}
