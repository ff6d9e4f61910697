/** Why something was not done, unless it is told beside the fields of the form. */
import { useT } from '@/app/i18n';
import { Notice } from '@/ui/page/Panel';
import { errorText } from '@/ui/page/States';
import { mistakesIn } from './mistakes';

const NO_FIELDS: readonly string[] = [];

export function Refused({ error, fields = NO_FIELDS }: { error: unknown; fields?: readonly string[] }) {
  const t = useT();
  const { untold } = mistakesIn(error, fields);
  return untold ? <Notice tone="red" icon="warning" title={errorText(untold, t)} role="alert" /> : null;
}
