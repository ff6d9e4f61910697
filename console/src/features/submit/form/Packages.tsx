/** What tasks find installed besides what their machine or image has. */
import { SegmentedControl } from '@mantine/core';
import type { JobFile } from '@/api/jobs';
import type { MessageKey, Translate } from '@/app/i18n';
import { listed, useT } from '@/app/i18n';
import { textAt, valueAt } from '../file/reading';
import { fieldId, useForm, useMistake } from './context';
import { TextAreaField, TextField } from './fields';
import ink from '@/ui/theme/ink.module.css';
import style from './Form.module.css';

type Way = 'none' | 'names' | 'file' | 'conda' | 'venv';

const BEGIN: Record<Way, unknown> = {
  none: undefined,
  names: { pip: [] },
  file: { pip: 'requirements.txt' },
  conda: { conda: 'environment.yml' },
  venv: { venv: '' },
};
const PIP = ['packages', 'pip'];
const WORDS: Record<Way, MessageKey> = {
  none: 'packages.none',
  names: 'packages.names',
  file: 'packages.file',
  conda: 'packages.conda',
  venv: 'packages.venv',
};

function wayOf(file: JobFile): Way {
  const packages = valueAt(file, ['packages']);
  if (packages === undefined || packages === null) return 'none';
  if (valueAt(packages, ['venv']) !== undefined) return 'venv';
  if (valueAt(packages, ['conda']) !== undefined) return 'conda';
  return Array.isArray(valueAt(packages, ['pip'])) ? 'names' : 'file';
}

function namesIn(file: JobFile): string[] {
  const names = valueAt(file, PIP);
  return Array.isArray(names) ? names.map(String) : [];
}

export function Packages() {
  const t = useT();
  const { file, apply, shown } = useForm();
  const error = useMistake(['packages']);
  const way = wayOf(file);
  const line = shown.find(({ loc }) => loc.length === 3 && loc[0] === 'packages' && loc[1] === 'pip');
  return (
    <div className={style.stack} id={fieldId(['packages'])}>
      <div>
        <SegmentedControl
          aria-label={t('packages.title')}
          data={Object.entries(WORDS).map(([value, word]) => ({ value, label: t(word) }))}
          value={way}
          onChange={(chosen) => apply([{ path: ['packages'], value: BEGIN[chosen as Way] }])}
        />
      </div>
      {way === 'names' && (
        <TextAreaField
          path={PIP}
          label={t('packages.namesLabel')}
          help={t('packages.namesHelp')}
          rows={3}
          mono
          keep
          required
          show={() => namesIn(file).join('\n')}
          write={(text) =>
            text
              .split('\n')
              .map((name) => name.trim())
              .filter(Boolean)
          }
        />
      )}
      {way === 'file' && <TextField path={PIP} label={t('packages.fileLabel')} help={t('packages.fileHelp')} mono keep required />}
      {way === 'conda' && (
        <TextField path={['packages', 'conda']} label={t('packages.condaLabel')} help={t('packages.condaHelp')} mono keep required />
      )}
      {way === 'venv' && (
        <TextField path={['packages', 'venv']} label={t('packages.venvLabel')} help={t('packages.venvHelp')} mono keep required />
      )}
      {(error ?? line?.message) && <p className={ink.error}>{error ?? line?.message}</p>}
      <p className={style.help}>{t('packages.help')}</p>
    </div>
  );
}

export function packagesInShort(file: JobFile, t: Translate): string {
  const way = wayOf(file);
  if (way === 'none') return t('packages.noneShort');
  if (way === 'names') return listed(namesIn(file)) || t(WORDS.names);
  return textAt(file, way === 'file' ? PIP : ['packages', way]) || t(WORDS[way]);
}
