/** Follows the chain of the audit log from its beginning, and compares it with a seal noted earlier. */
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { verifyAudit } from '@/api/audit';
import type { AuditReport } from '@/api/audit';
import { useSentence, useT } from '@/app/i18n';
import { useSave } from '@/parts/useSave';
import { Copy } from '@/ui/words/clipboard';
import { FormDialog } from '@/ui/dialog/FormDialog';
import { Notice } from '@/ui/page/Panel';
import ink from '@/ui/theme/ink.module.css';
import style from './Audit.module.css';

const FIELDS = ['seq', 'seal'] as const;

export default function VerifyDialog({ onClose }: { onClose: () => void }) {
  const t = useT();
  const [noted, setNoted] = useState('');
  const [seq, seal] = noted.trim().split(/[\s,:]+/);
  const verify = useSave({ save: () => verifyAudit(seq && seal ? { seq: Number(seq), seal: seal.toLowerCase() } : {}), fields: FIELDS });
  const { mistakes } = verify;
  const half = noted.trim() !== '' && !(seal && Number.isInteger(Number(seq)));
  return (
    <FormDialog
      title={t('audit.verify')}
      action={t('audit.verifyNow')}
      busy={verify.isPending}
      error={verify.untold}
      disabled={half}
      size={640}
      onSubmit={() => verify.mutate()}
      onClose={onClose}
    >
      <p>{t('audit.verifyText')}</p>
      <TextInput
        label={t('audit.noted')}
        description={t('audit.notedHint')}
        autoComplete="off"
        spellCheck={false}
        error={mistakes.seq ?? mistakes.seal ?? (half && t('audit.notedWrong'))}
        value={noted}
        onChange={(event) => {
          setNoted(event.currentTarget.value);
          verify.reset();
        }}
      />
      {verify.data && <Verdict report={verify.data} />}
    </FormDialog>
  );
}

function Verdict({ report: { ok, count, seq, seal, broken, signed_since: since } }: { report: AuditReport }) {
  const t = useT();
  const say = useSentence();
  return (
    <Notice
      tone={ok ? 'green' : 'red'}
      icon={ok ? 'done' : 'warning'}
      title={ok ? t('audit.holds', { count }) : t('audit.broken', { seq: broken?.seq ?? seq })}
      role={ok ? 'status' : 'alert'}
    >
      {broken && <p>{say(broken.text)}</p>}
      {ok && count > 0 && (
        <p className={style.seal}>
          <code>
            {seq} {seal}
          </code>{' '}
          <Copy text={`${seq} ${seal}`} label={t('audit.copySeal')} size={26} />
        </p>
      )}
      {ok && since && <p className={ink.fine}>{t('audit.signed', { seq: since })}</p>}
      {ok && <p className={ink.fine}>{t('audit.noteThis')}</p>}
    </Notice>
  );
}
