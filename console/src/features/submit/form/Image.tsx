/** What tasks run in: of the job, or of one role. */
import type { JobFile } from '@/api/jobs';
import type { Translate } from '@/app/i18n';
import { useT } from '@/app/i18n';
import type { Path } from '@/parts/jobs/job-file-edit';
import { textAt } from '../file/reading';
import { useForm } from './context';
import { TextField } from './fields';

const HOST = 'host';

export function Image({ base }: { base: Path }) {
  const t = useT();
  const { file } = useForm();
  const usual = (base.length > 0 && textAt(file, ['image'])) || HOST;
  return (
    <TextField
      path={[...base, 'image']}
      label={t('image.title')}
      help={t(base.length > 0 ? 'image.roleHelp' : 'image.help')}
      usual={usual}
      mono
    />
  );
}

export function imageInShort(file: JobFile, base: Path, t: Translate): string {
  const image = textAt(file, [...base, 'image']);
  if (image !== '' && image !== HOST) return image;
  return t(base.length > 0 ? 'image.asTheJob' : 'image.host');
}
