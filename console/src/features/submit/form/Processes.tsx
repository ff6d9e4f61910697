/** Processes that the framework starts in each task: of the job, or of one role. */
import { useT } from '@/app/i18n';
import type { Path } from '@/parts/jobs/job-file-edit';
import { writeNumber } from '@/parts/quantities';
import { sizeAt } from '../file/bounds';
import { textAt, valueAt } from '../file/reading';
import { useForm } from './context';
import { TextField } from './fields';

export function Processes({ base }: { base: Path }) {
  const t = useT();
  const { file, choices } = useForm();
  const own = sizeAt(valueAt(file, base), choices.flavors).gpus;
  const cards = own || sizeAt(file, choices.flavors).gpus;
  const usual = textAt(file, ['processes']) || String(Math.max(1, Math.floor(cards)));
  return (
    <TextField
      path={[...base, 'processes']}
      label={t('framework.processes')}
      help={t('framework.processesHelp')}
      usual={usual}
      write={writeNumber}
      numeric
    />
  );
}
