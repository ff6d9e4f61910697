/** Why something was not done, unless it is told beside the fields of the form. */
import { useT } from '@/app/i18n';
import { Notice } from '@/ui/page/Panel';
import { errorText } from '@/ui/page/States';
import { standsAt } from './mistakes';

const NO_FIELDS: readonly string[] = [];

export function Refused({ error, fields = NO_FIELDS }: { error: unknown; fields?: readonly string[] }) {
  const t = useT();
  if (!error || standsAt(error, fields)) return null;
  return <Notice tone="red" icon="warning" title={errorText(error, t)} role="alert" />;
}
