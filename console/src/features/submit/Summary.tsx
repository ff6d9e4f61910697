/** What the job asks for and what would happen now: in view before anything is sent. */
import { Button } from '@mantine/core';
import type { CheckResult, JobFile } from '@/api/jobs';
import type { FieldError } from '@/api/problem';
import type { MessageKey, Translate } from '@/app/i18n';
import { listed, useSentence, useT } from '@/app/i18n';
import { Copy } from '@/ui/words/clipboard';
import { formatBytes, formatCount, formatDuration, trim } from '@/ui/words/format';
import { Icon } from '@/ui/icons';
import { parseTime } from '@/parts/quantities';
import { errorText } from '@/ui/page/States';
import { EMPTY } from './form/context';
import { textAt } from './file/reading';
import type { Work } from './useWork';
import style from './Submit.module.css';

type Size = NonNullable<CheckResult['size']>;

interface Props {
  work: Work;
  shown: FieldError[];
  /** The job that is edited; none where a new one is written. */
  edited: string | undefined;
}

export function Summary({ work, shown, edited }: Props) {
  const t = useT();
  const { result, checking } = work.check;
  const file = fileName(textAt(work.file, ['name']));
  const command = edited === undefined ? `danlu submit ${file}` : `danlu edit ${edited} --file ${file}`;
  return (
    <section className={style.summary} aria-label={t('summary.title')}>
      <div className={style.cost} aria-busy={checking || undefined}>
        {result?.size ? (
          <Cost size={result.size} expected={parseTime(textAt(work.file, ['expected_time']))} />
        ) : (
          <span className={style.quiet}>{t('summary.sizeLater')}</span>
        )}
      </div>
      <div aria-live="polite">{shown.length > 0 ? <Problems shown={shown} onLook={work.lookAt} /> : <Forecast work={work} />}</div>
      <div className={style.command}>
        <code>{command}</code>
        <Copy text={command} label={t('summary.copyCommand')} size={26} />
        <Button
          variant="default"
          size="compact-xs"
          leftSection={<Icon name="download" size={12} />}
          onClick={() => download(file, work.text)}
        >
          {t('summary.download')}
        </Button>
      </div>
    </section>
  );
}

function Cost({ size, expected }: { size: Size; expected: number | null }) {
  const t = useT();
  return (
    <>
      <strong className={style.costMain}>{costInShort(size, t)}</strong>
      {size.gpus > 0 && expected !== null && (
        <span className={style.quiet}>
          {t('summary.gpuHours', { hours: trim((size.gpus * expected) / 3_600_000), time: formatDuration(expected / 1000, t) })}
        </span>
      )}
    </>
  );
}

/** "16 × A100 · 2 tasks · 64 CPUs · 512 GiB"; several tasks may share a machine. */
export function costInShort({ gpus, gpu_model: model, tasks, cpus, memory }: Size, t: Translate): string {
  return [
    gpus > 0 ? `${formatCount(gpus)} × ${model ?? t('size.gpu')}` : t('summary.noGpus'),
    tasks === 0 ? t('summary.divided') : t('size.tasks', { count: tasks }),
    t('summary.cpus', { count: cpus }),
    formatBytes(memory),
  ].join(' · ');
}

function Problems({ shown, onLook }: { shown: FieldError[]; onLook: (path: FieldError['loc']) => void }) {
  const t = useT();
  return (
    <>
      <div className={style.bad}>
        <Icon name="failed" size={14} />
        {t('submit.problems', { count: shown.length })}
      </div>
      <ul className={style.problems}>
        {shown.map(({ loc, message, hint }) => (
          <li key={`${loc.join('.')} ${message}`}>
            <button type="button" className={style.problem} onClick={() => onLook(loc)}>
              {loc.length > 0 && (
                <>
                  <code>{loc.join('.')}</code>:{' '}
                </>
              )}
              {message}
              {hint && <span className={style.quiet}>{t('mistake.hint', { hint })}</span>}
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

/** What would happen if it were submitted now, or what it still lacks. */
function Forecast({ work }: { work: Work }) {
  const t = useT();
  const say = useSentence();
  const { result, mistakes, checking, failed } = work.check;
  if (work.broken) return <p className={style.quiet}>{t('submit.broken', { line: work.broken.line })}</p>;
  if (mistakes.length > 0) {
    const wrong = mistakes.filter(({ code }) => !EMPTY.has(code));
    const [key, fields] = wrong.length > 0 ? (['summary.wrong', wrong] as const) : (['summary.needed', mistakes] as const);
    return <p className={style.quiet}>{t(key, { fields: listed([...new Set(fields.map((error) => fieldName(error, work.file, t)))]) })}</p>;
  }
  if (!result?.would && failed) return <p className={style.quiet}>{t('summary.unchecked', { why: errorText(failed, t) })}</p>;
  if (!result?.would) return <p className={style.quiet}>{checking ? t('submit.checking') : t('summary.unknown')}</p>;
  const { starts_now: now, reason, ahead = 0 } = result.would;
  return (
    <div className={now ? style.good : style.waits} aria-busy={checking || undefined}>
      <Icon name={now ? 'done' : 'clock'} size={14} />
      <div>
        <div>{now ? t('submit.startsNow') : ahead > 0 ? t('submit.waitsBehind', { count: ahead }) : t('submit.waits')}</div>
        {!now && reason && <div className={style.quiet}>{say(reason.text)}</div>}
      </div>
    </div>
  );
}

function fieldName({ loc, code }: FieldError, file: JobFile, t: Translate): string {
  const [part, place = ''] = loc;
  const label = LABELS[String(loc.at(-1))];
  if (!label || part === 'env') return loc.join('.');
  const role = part === 'roles' ? textAt(file, [part, place, 'name']) : '';
  // A command that a role lacks may be the job's.
  const shared = code === 'missing' && label === LABELS.command;
  return role === '' || shared ? t(label) : t('summary.ofRole', { field: t(label), role });
}

/** As the form calls them. */
const LABELS: Partial<Record<string, MessageKey>> = {
  command: 'form.command',
  conda: 'packages.title',
  cpus: 'form.cpus',
  expected_time: 'form.expected',
  flavor: 'form.flavor',
  framework: 'framework.title',
  gpu: 'form.gpuModel',
  gpus: 'form.gpus',
  hang_after: 'trouble.hangAfter',
  image: 'image.title',
  justification: 'form.justification',
  kind: 'form.kind',
  max_time: 'form.max',
  memory: 'form.memory',
  min: 'form.min',
  name: 'form.jobName',
  nodes: 'form.machines',
  packages: 'packages.title',
  pip: 'packages.title',
  priority: 'form.priority',
  processes: 'framework.processes',
  project: 'form.project',
  replicas: 'role.replicas',
  restarts: 'form.restarts',
  shm: 'form.shm',
  strategy: 'framework.strategy',
  venv: 'packages.title',
};

export function fileName(name: string): string {
  return `${/^[\w-]+$/.test(name) ? name : 'job'}.yaml`;
}

function download(name: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/yaml' }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
