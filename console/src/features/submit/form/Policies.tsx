/** What each trouble leads to, of the job or of one role; what is left alone goes as the framework has it. */
import type { Strategy } from '@/api/frameworks';
import type { JobFile } from '@/api/jobs';
import type { MessageKey, Translate } from '@/app/i18n';
import { useT } from '@/app/i18n';
import type { Path } from '@/parts/jobs/job-file-edit';
import { writeNumber } from '@/parts/quantities';
import { strategyOf } from '../frameworks';
import { entriesAt, rolesOf, textAt } from '../file/reading';
import { useForm } from './context';
import { ChoiceField, TextField } from './fields';
import remedies from '../remedies.json';
import style from './Form.module.css';

type Trouble = keyof typeof remedies.allowed;
type Remedy = (typeof remedies.allowed)['task_failed'][number];

export const TROUBLES = Object.keys(remedies.allowed) as Trouble[];
const OF_ROLES = remedies.of_roles as Trouble[];
const AGAIN = new Set(['restart_task', 'restart_job', 'requeue', 'ignore']);

const TROUBLE_WORDS: Record<Trouble, MessageKey> = {
  task_failed: 'policy.taskFailed',
  out_of_memory: 'policy.outOfMemory',
  node_lost: 'policy.nodeLost',
  evicted: 'policy.evicted',
  hung: 'policy.hung',
  task_completed: 'policy.taskCompleted',
};
const REMEDY_WORDS: Partial<Record<Remedy, MessageKey>> = {
  fail: 'policy.fail',
  restart_task: 'policy.restartTask',
  restart_job: 'policy.restart',
  requeue: 'policy.requeue',
  complete: 'policy.complete',
  ignore: 'policy.ignore',
};

/** `base`: where the policies stand, at the root or in a role. */
export function Policies({ base }: { base: Path }) {
  const t = useT();
  const { file, choices } = useForm();
  const strategy = strategyOf(file, choices.frameworks);
  const ofRole = base.length > 0;
  return (
    <>
      {ofRole && <p className={style.help}>{t('role.policiesHelp')}</p>}
      <div className={style.pair}>
        {(ofRole ? OF_ROLES : TROUBLES).map((trouble) => {
          const usual = (ofRole && textAt(file, ['on', trouble])) || usually(trouble, strategy);
          return (
            <ChoiceField
              key={trouble}
              path={[...base, 'on', trouble]}
              label={t(TROUBLE_WORDS[trouble])}
              choices={[
                { value: '', label: t(ofRole ? 'policy.asTheJob' : 'policy.usually', { remedy: remedyInWords(usual, t) }) },
                ...remedies.allowed[trouble].map((value) => ({ value, label: remedyInWords(value, t) })),
              ]}
              standard=""
            />
          );
        })}
      </div>
      <div className={style.pair}>
        <TextField
          path={[...base, 'restarts']}
          label={t(ofRole ? 'role.restarts' : 'form.restarts')}
          help={t(ofRole ? 'role.restartsHelp' : 'trouble.restartsHelp')}
          usual={ofRole ? restartsOf(file, strategy) : String(usualRestarts(file, strategy))}
          write={writeNumber}
          numeric
        />
        {!ofRole && (
          <TextField path={['backoff', 'first']} label={t('trouble.backoffFirst')} help={t('trouble.backoffFirstHelp')} usual="2s" />
        )}
        {!ofRole && (
          <TextField path={['backoff', 'most']} label={t('trouble.backoffMost')} help={t('trouble.backoffMostHelp')} usual="10m" />
        )}
        {!ofRole && (
          <TextField
            path={['hang_after']}
            label={t('trouble.hangAfter')}
            help={t('trouble.hangAfterHelp')}
            usual={strategy?.hang_after ?? t('trouble.never')}
          />
        )}
      </div>
    </>
  );
}

/** What the file says, or else what is usual, in a line. */
export function policiesInShort(file: JobFile, strategy: Strategy | undefined, base: Path, t: Translate): string {
  const said = entriesAt(file, [...base, 'on']).filter(([trouble]) => trouble in remedies.allowed) as [Trouble, unknown][];
  const told = said.map(([trouble, remedy]) => `${t(TROUBLE_WORDS[trouble])}: ${remedyInWords(String(remedy), t)}`);
  if (base.length > 0) return told.join(' · ') || t('role.policiesNone');
  const usual = Object.keys(strategy?.on ?? {}).filter((trouble) => !said.some(([name]) => name === trouble)) as Trouble[];
  told.push(...usual.map((trouble) => `${t(TROUBLE_WORDS[trouble])}: ${remedyInWords(usually(trouble, strategy), t)}`));
  if (told.length === 0) return t('form.policiesNone');
  return [...told, t('form.restartsShort', { count: restartsOf(file, strategy) })].join(' · ');
}

function usually(trouble: Trouble, strategy: Strategy | undefined): string {
  return (strategy?.on as Partial<Record<string, string>> | undefined)?.[trouble] ?? remedies.usual[trouble];
}

function remedyInWords(remedy: string, t: Translate): string {
  const key = REMEDY_WORDS[remedy as Remedy];
  return key ? t(key) : remedy;
}

function restartsOf(file: JobFile, strategy: Strategy | undefined): string {
  return textAt(file, ['restarts']) || String(usualRestarts(file, strategy));
}

/** As the server has it: three where something is tried again, and what the framework says. */
function usualRestarts(file: JobFile, strategy: Strategy | undefined): number {
  return Math.max(strategy?.restarts ?? 0, [file, ...rolesOf(file)].some(triesAgain) ? 3 : 0);
}

function triesAgain(part: unknown): boolean {
  return entriesAt(part, ['on']).some(([trouble, remedy]) => trouble !== 'evicted' && AGAIN.has(String(remedy)));
}
