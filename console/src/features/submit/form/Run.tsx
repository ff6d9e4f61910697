/** What runs: the command, the code it finds, and its variables. */
import { Button, SegmentedControl } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { listed, useT } from '@/app/i18n';
import type { Translate } from '@/app/i18n';
import type { JobFile } from '@/api/jobs';
import { entriesAt, inputsOf, isWorkspace, mountsOf, outputsOf, rolesOf, textAt, valueAt } from '../file/reading';
import { fieldId, useForm, useMistake } from './context';
import { Fold } from './Fold';
import { FrameworkChoice } from './Framework';
import { Image, imageInShort } from './Image';
import { TextAreaField, TextField } from './fields';
import { inputsInShort } from './inputs-in-short';
import { mountsInShort } from './mounts-in-short';
import { outputsInShort } from './outputs-in-short';
import { Packages, packagesInShort } from './Packages';
import { Rows } from './Rows';
import { Section } from './Section';
import { Skeleton } from '@/ui/page/States';
import ink from '@/ui/theme/ink.module.css';
import style from './Form.module.css';

const Inputs = lazy(() => import('./Inputs'));
const Mounts = lazy(() => import('./Mounts'));
const Outputs = lazy(() => import('./Outputs'));
const CodeFolderDrop = lazy(() => import('../code/CodeFolderDrop'));

export function Run() {
  const t = useT();
  const { file } = useForm();
  return (
    <Section name="run">
      <FrameworkChoice />
      {eachRoleHasItsOwn(file) ? <p className={style.help}>{t('form.ownCommands')}</p> : <Command path={['command']} />}
      <Fold title={t('form.code')} summary={codeInShort(file, t)} paths={[['code']]}>
        <Code />
      </Fold>
      <Fold title={t('image.title')} summary={imageInShort(file, [], t)} paths={[['image']]}>
        <Image base={[]} />
      </Fold>
      <Fold title={t('packages.title')} summary={packagesInShort(file, t)} paths={[['packages']]}>
        <Packages />
      </Fold>
      <Fold title={t('form.env')} summary={namesInShort(entriesAt(file, ['env']), t)} paths={[['env']]}>
        <p className={style.help}>{t('form.envHelp')}</p>
        <Rows path={['env']} noun={t('form.variable')} add={t('form.addVariable')} />
      </Fold>
      <Fold title={t('mounts.mounts')} summary={mountsInShort(mountsOf(file), t)} paths={[['mounts']]}>
        <Suspense fallback={<Skeleton rows={2} />}>
          <Mounts />
        </Suspense>
      </Fold>
      <Fold title={t('inputs.inputs')} summary={inputsInShort(inputsOf(file), t)} paths={[['inputs']]}>
        <Suspense fallback={<Skeleton rows={2} />}>
          <Inputs />
        </Suspense>
      </Fold>
      <Fold title={t('keep.outputs')} summary={outputsInShort(outputsOf(file), t)} paths={[['outputs']]}>
        <Suspense fallback={<Skeleton rows={2} />}>
          <Outputs />
        </Suspense>
      </Fold>
    </Section>
  );
}

function eachRoleHasItsOwn(file: JobFile): boolean {
  const roles = rolesOf(file);
  return file.command === undefined && roles.length > 0 && roles.every((role) => valueAt(role, ['command']) !== undefined);
}

/** Of the job, or of one role, which may leave it to the job. */
export function Command({ path }: { path: (string | number)[] }) {
  const t = useT();
  const { file, apply } = useForm();
  const value = valueAt(file, path);
  const ofRole = path.length > 1;
  if (Array.isArray(value)) {
    return (
      <div className={style.field} id={fieldId(path)}>
        <span className={style.label}>{t('form.command')}</span>
        <code className={style.words}>{JSON.stringify(value)}</code>
        <p className={style.help}>{t('form.commandWords')}</p>
        <div>
          <Button variant="default" size="compact-xs" onClick={() => apply([{ path, value: value.map(quoted).join(' ') }])}>
            {t('form.commandToLine')}
          </Button>
        </div>
      </div>
    );
  }
  const needed = !ofRole && !isWorkspace(file) && rolesOf(file).every((role) => valueAt(role, ['command']) === undefined);
  const help = ofRole
    ? value === undefined
      ? t('form.roleCommandHelp')
      : undefined
    : isWorkspace(file)
      ? t('form.workspaceCommandHelp')
      : file.roles
        ? t('form.sharedCommandHelp')
        : t('form.commandHelp');
  return (
    <TextAreaField
      path={path}
      label={t('form.command')}
      help={help}
      usual={ofRole ? textAt(file, ['command']).split('\n')[0] : undefined}
      example={ofRole ? undefined : isWorkspace(file) ? 'tail -f /dev/null' : 'python train.py --epochs 10'}
      rows={ofRole ? 1 : 3}
      required={needed}
      keep={needed}
      mono
      show={(text) => text.replace(/\n$/, '')}
      write={(text) => (text.includes('\n') && !text.endsWith('\n') ? `${text}\n` : text)}
    />
  );
}

/** A word as a shell reads it back. */
function quoted(word: unknown): string {
  const text = String(word);
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

type Source = 'none' | 'git' | 'archive' | 'path';

function sourceOf(file: JobFile): Source {
  const code = valueAt(file, ['code']);
  if (valueAt(code, ['archive']) !== undefined) return 'archive';
  if (valueAt(code, ['path']) !== undefined) return 'path';
  return code === undefined || code === null ? 'none' : 'git';
}

function Code() {
  const t = useT();
  const { file, apply } = useForm();
  const error = useMistake(['code']);
  const localError = useMistake(['code', 'path']);
  const source = sourceOf(file);
  const choices: { value: Source; label: string }[] = [
    { value: 'none', label: t('form.codeNone') },
    { value: 'git', label: t('form.codeGit') },
  ];
  if (source === 'archive') choices.push({ value: 'archive', label: t('form.codeUploaded') });
  if (source === 'path') choices.push({ value: 'path', label: t('form.codeLocal') });
  return (
    <div className={style.stack} id={fieldId(['code'])}>
      <div>
        <SegmentedControl
          aria-label={t('form.code')}
          data={choices}
          value={source}
          onChange={(chosen) => apply([{ path: ['code'], value: chosen === 'git' ? { git: '' } : undefined }])}
        />
      </div>
      {source === 'git' && (
        <>
          <TextField
            path={['code', 'git']}
            label={t('form.gitUrl')}
            example="https://git.example.org/vision/resnet.git"
            mono
            keep
            required
          />
          <div className={style.pair}>
            <TextField path={['code', 'ref']} label={t('form.gitRef')} help={t('form.gitRefHelp')} usual="main" mono />
            <TextField path={['code', 'subdir']} label={t('form.gitSubdir')} help={t('form.gitSubdirHelp')} mono />
          </div>
        </>
      )}
      {source === 'archive' && (
        <p className={style.help}>{t('form.codeUploadedHelp', { digest: textAt(file, ['code', 'archive']).slice(0, 12) })}</p>
      )}
      {source !== 'git' && (
        <Suspense fallback={<Skeleton rows={2} />}>
          <CodeFolderDrop
            archive={source === 'archive' ? textAt(file, ['code', 'archive']) : undefined}
            onChange={(archive) => apply([{ path: ['code'], value: archive === undefined ? undefined : { archive } }])}
          />
        </Suspense>
      )}
      {(error ?? localError) && <p className={ink.error}>{error ?? localError}</p>}
      <p className={style.help}>
        {t('form.codeFolder')} <code>danlu run --code . job.yaml</code>
      </p>
    </div>
  );
}

function codeInShort(file: JobFile, t: Translate): string {
  const source = sourceOf(file);
  if (source === 'none') return t('form.codeNoneShort');
  if (source === 'archive') return t('form.codeUploaded');
  if (source === 'path') return textAt(file, ['code', 'path']);
  const ref = textAt(file, ['code', 'ref']);
  return `${textAt(file, ['code', 'git'])}${ref && ` @ ${ref}`}`;
}

export function namesInShort(entries: [name: string, value: unknown][], t: Translate): string {
  return entries.length === 0 ? t('form.none') : listed(entries.map(([name]) => name));
}
