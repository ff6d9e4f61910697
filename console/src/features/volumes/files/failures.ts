/** Says why some of several files could not be changed. */
import type { FileFailure } from '@/api/volumes';
import { sentence, translate } from '@/app/i18n';
import { notify } from '@/app/notify';

export function tellFailures(failed: readonly FileFailure[]): void {
  const [first] = failed;
  if (!first) return;
  notify({
    bad: true,
    title: translate('files.someFailed', { count: failed.length }),
    message: sentence({ en: first.text.en ?? '', zh: first.text.zh ?? '' }),
  });
}
