/** What one of the first steps is about: a sentence, the way there, commands to copy. */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { basePath } from '@/api/client';
import type { JobRow } from '@/api/jobs';
import { getVersion, systemKeys } from '@/api/system';
import { takenMark } from '@/app/first-steps';
import type { MessageKey } from '@/app/i18n';
import { useT } from '@/app/i18n';
import { useChangePreferences } from '@/app/preferences';
import { useMe } from '@/app/session';
import { Icon } from '@/ui/icons';
import { Command } from './Command';
import type { StepId } from './steps';
import ink from '@/ui/theme/ink.module.css';
import style from './FirstSteps.module.css';

const TEXTS: Record<StepId, MessageKey> = {
  nodes: 'steps.nodesText',
  people: 'steps.peopleText',
  project: 'steps.projectText',
  sizes: 'steps.sizesText',
  limits: 'steps.limitsText',
  password: 'steps.passwordText',
  job: 'steps.jobText',
  log: 'steps.logText',
  cli: 'steps.cliText',
  token: 'steps.tokenText',
  guide: 'steps.guideText',
};

const COMMANDS: Partial<Record<StepId, string[]>> = {
  nodes: ['danlu nodes', 'danlu up --virtual-nodes 2x8xA100'],
  people: ['danlu user create wei --display-name "Wei Lan"', 'danlu user ls'],
  project: ['danlu project create vision --weight 2 --description "Images and video"'],
  sizes: ['danlu flavor create a100x1 --gpus 1 --gpu A100 --cpus 8 --memory 64GiB', 'danlu pool create notebooks --classes workspace'],
  limits: ['danlu limit create fair --user each --gpus 8', 'danlu priority create urgent --value 400 --groups leads'],
  token: ['danlu token create nightly'],
};

const GUIDE: MessageKey[] = ['steps.guide1', 'steps.guide2', 'steps.guide3', 'steps.guide4'];

export function StepDetail({ id, done, latest }: { id: StepId; done: boolean; latest: JobRow | undefined }) {
  const t = useT();
  return (
    <div className={style.content}>
      {done && (
        <p className={style.doneMark}>
          <Icon name="done" size={14} />
          {t('steps.isDone')}
        </p>
      )}
      <p>{t(TEXTS[id])}</p>
      {id === 'guide' && (
        <ol className={style.guide}>
          {GUIDE.map((key) => (
            <li key={key}>{t(key)}</li>
          ))}
        </ol>
      )}
      <div>
        <Way id={id} latest={latest} />
      </div>
      {id === 'cli' ? <SignIn /> : COMMANDS[id]?.map((command) => <Command key={command} text={command} />)}
    </div>
  );
}

function SignIn() {
  const t = useT();
  const me = useMe();
  const version = useQuery({ queryKey: systemKeys.version, queryFn: ({ signal }) => getVersion(signal), staleTime: Infinity });
  const wheel = version.data?.client && `${location.origin}${basePath}/client/${version.data.client}`;
  return (
    <>
      {wheel && (
        <>
          <Command text={`pip install ${wheel}`} />
          <span className={ink.quiet}>{t('steps.or')}</span>
          <Command text={`uv tool install ${wheel}`} />
        </>
      )}
      <Command text={`danlu login ${location.origin}${basePath} --name ${me.name}`} />
      <Command text="danlu run -- echo hello" />
    </>
  );
}

/** The way to where a step is taken. */
function Way({ id, latest }: { id: StepId; latest: JobRow | undefined }): ReactNode {
  const t = useT();
  const take = useTaken();
  switch (id) {
    case 'nodes':
      return (
        <Button variant="default" renderRoot={(props) => <Link to="/nodes" {...props} />}>
          {t('overview.toNodes')}
        </Button>
      );
    case 'people':
      return <Button renderRoot={(props) => <Link to="/users" {...props} />}>{t('steps.toPeople')}</Button>;
    case 'project':
      return <Button renderRoot={(props) => <Link to="/projects" {...props} />}>{t('steps.toProjects')}</Button>;
    case 'sizes':
      return (
        <div className={style.ways}>
          <Button renderRoot={(props) => <Link to="/flavors" {...props} />}>{t('steps.toFlavors')}</Button>
          <Button variant="default" renderRoot={(props) => <Link to="/pools" {...props} />}>
            {t('steps.toPools')}
          </Button>
        </div>
      );
    case 'limits':
      return (
        <div className={style.ways}>
          <Button renderRoot={(props) => <Link to="/bounds" {...props} />}>{t('steps.toBounds')}</Button>
          <Button variant="default" renderRoot={(props) => <Link to="/priorities" {...props} />}>
            {t('steps.toPriorities')}
          </Button>
        </div>
      );
    case 'job':
      return <Button renderRoot={(props) => <Link to="/jobs/new" search={{ example: 'hello' }} {...props} />}>{t('steps.example')}</Button>;
    case 'log':
      return latest ? (
        <Button
          renderRoot={(props) => <Link to="/jobs/$job" params={{ job: latest.id }} search={{ tab: 'logs' }} {...props} />}
          onClick={() => take('log')}
        >
          {t('steps.toLog', { name: latest.name })}
        </Button>
      ) : (
        <p className={ink.quiet}>{t('steps.logLater')}</p>
      );
    case 'password':
    case 'token':
      return (
        <Button variant="default" renderRoot={(props) => <Link to="/profile" {...props} />}>
          {t('steps.toProfile')}
        </Button>
      );
    case 'guide':
      return (
        <Button variant="default" leftSection={<Icon name="done" />} onClick={() => take('guide')}>
          {t('steps.read')}
        </Button>
      );
    default:
      return null;
  }
}

function useTaken(): (id: StepId) => void {
  const change = useChangePreferences();
  return (id) => change(({ dismissed }) => ({ dismissed: [...new Set([...dismissed, takenMark(id)])] }));
}
