/** One project: how it stands, who belongs to it, how it was used, and what rules it. */
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { getProject, projectKeys } from '@/api/rules/projects';
import type { Project } from '@/api/rules/projects';
import { useT } from '@/app/i18n';
import { described } from '@/parts/built-in';
import { useLive } from '@/app/queries';
import { useMayEverywhere } from '@/app/session';
import { MEMBER_WORDS } from '@/parts/people/words';
import { TrendChart } from '@/parts/trends/TrendChart';
import { AwaitedPage } from '@/ui/page/AwaitedPage';
import { Page, Panel } from '@/ui/page/Panel';
import type { Crumb } from '@/ui/page/Panel';
import { Tag, Tags } from '@/ui/words/Tags';
import { DefaultsForm } from './DefaultsForm';
import { JoinRequests } from './JoinRequests';
import { Members } from './Members';
import { ProjectActions } from './ProjectActions';
import { RulesForm } from './RulesForm';
import { StandingPanel } from './StandingPanel';
import { useAsked } from './useAsked';
import layout from '@/ui/page/layout.module.css';
import ink from '@/ui/theme/ink.module.css';

const route = getRouteApi('/app/projects/$project');

export function ProjectPage() {
  const t = useT();
  const { project: name } = route.useParams();
  useLive('rules');
  useLive('users');
  const project = useQuery({ queryKey: projectKeys.one(name), queryFn: ({ signal }) => getProject(name, signal) });
  const list: Crumb = { to: '/projects', label: t('nav.projects') };
  if (project.data) return <Loaded project={project.data} trail={[list]} />;
  return (
    <AwaitedPage
      title={name}
      list={list}
      query={project}
      icon="projects"
      missing={t('projects.missing')}
      text={t('projects.missingText')}
      back={t('projects.showAll')}
    />
  );
}

function Loaded({ project, trail }: { project: Project; trail: Crumb[] }) {
  const t = useT();
  const { name, my_role, open, closed } = project;
  const about = described('project', project, t);
  const asked = useAsked().has(name);
  const rules = useMayEverywhere('project:write');
  const governsAll = useMayEverywhere('member:write');
  const governs = governsAll || my_role === 'creator';
  const seesMembers = useMayEverywhere('member:read') || my_role !== null;
  const seesUse = useMayEverywhere('usage:read') || my_role !== null;
  return (
    <Page title={name} trail={trail} actions={<ProjectActions project={project} mayRule={rules} />}>
      <Tags label={t('people.state')}>
        {my_role && <Tag tone="blue">{t('projects.youAre', { role: t(MEMBER_WORDS[my_role]) })}</Tag>}
        {open && <Tag tone="green">{t('projects.openToAll')}</Tag>}
        {closed && <Tag tone="amber">{t('projects.closed')}</Tag>}
        {!open && my_role === null && <Tag>{t(asked ? 'projects.asked' : 'projects.notMember')}</Tag>}
      </Tags>
      {about && <p className={ink.quiet}>{about}</p>}
      {governs && <JoinRequests project={name} />}
      <div className={layout.columns}>
        <div className={layout.column}>
          <StandingPanel name={name} />
          {(rules || my_role === 'creator') && <DefaultsForm project={project} />}
        </div>
        <div className={layout.column}>
          {seesMembers ? (
            <Members project={project} governs={governs} />
          ) : (
            <Panel title={t('projects.members')}>
              <p className={ink.quiet}>{t('projects.membersHidden', { count: project.members })}</p>
            </Panel>
          )}
        </div>
      </div>
      {seesUse && (
        <Panel title={t('projects.trends')}>
          <TrendChart project={name} />
        </Panel>
      )}
      {rules && <RulesForm project={project} />}
    </Page>
  );
}
