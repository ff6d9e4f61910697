/** When things go wrong: what each trouble leads to, how often to try again, and where progress is saved. */
import type { JobFile } from '@/api/jobs';
import type { Translate } from '@/app/i18n';
import { useT } from '@/app/i18n';
import { strategyOf } from '../frameworks';
import { textAt } from '../file/reading';
import { useForm } from './context';
import { Fold } from './Fold';
import { TextField } from './fields';
import { Policies, policiesInShort } from './Policies';
import { Section } from './Section';
import style from './Form.module.css';

export function Trouble() {
  const t = useT();
  const { file, choices } = useForm();
  const strategy = strategyOf(file, choices.frameworks);
  return (
    <Section name="trouble">
      <Fold
        title={t('form.policies')}
        summary={policiesInShort(file, strategy, [], t)}
        paths={[['on'], ['restarts'], ['backoff'], ['hang_after']]}
      >
        <Policies base={[]} />
      </Fold>
      <Fold title={t('form.checkpoint')} summary={checkpointInShort(file, t)} paths={[['checkpoint']]}>
        <p className={style.help}>{t('trouble.checkpointHelp')}</p>
        <div className={style.pair}>
          <TextField
            path={['checkpoint', 'path']}
            label={t('form.checkpointPath')}
            help={t('form.checkpointPathHelp')}
            example="/mnt/lin/checkpoints"
            mono
          />
          <TextField path={['checkpoint', 'grace']} label={t('form.grace')} help={t('form.graceHelp')} usual="30s" />
        </div>
      </Fold>
    </Section>
  );
}

function checkpointInShort(file: JobFile, t: Translate): string {
  const path = textAt(file, ['checkpoint', 'path']);
  const grace = textAt(file, ['checkpoint', 'grace']) || '30s';
  return path ? t('form.checkpointShort', { path, grace }) : t('trouble.graceShort', { grace });
}
