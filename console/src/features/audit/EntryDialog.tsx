/** One act: who, when, from where, and what it changed. */
import { lazy, Suspense } from 'react';
import { stringify } from 'yaml';
import type { AuditEntry } from '@/api/audit';
import { useSentence, useT } from '@/app/i18n';
import { Copy } from '@/ui/words/clipboard';
import { Dialog } from '@/ui/dialog/Dialog';
import { Facts } from '@/ui/page/Panel';
import { Skeleton } from '@/ui/page/States';
import { Exact } from '@/ui/words/Time';
import { ACT_WORDS, whence } from './acts';
import layout from '@/ui/page/layout.module.css';
import ink from '@/ui/theme/ink.module.css';
import style from './Audit.module.css';

const DiffView = lazy(() => import('@/ui/code/DiffView'));

export default function EntryDialog({ entry, onClose }: { entry: AuditEntry; onClose: () => void }) {
  const t = useT();
  const say = useSentence();
  const { seq, time, by, act, subject, before, after, reason, seal } = entry;
  const changed = before !== null || after !== null;
  return (
    <Dialog title={say(entry.text)} size={760} onClose={onClose}>
      <div className={layout.parts}>
        <Facts
          items={[
            [t('audit.time'), <Exact key="time" at={time} />],
            [t('audit.by'), by],
            [t('audit.act'), ACT_WORDS[act] ? t(ACT_WORDS[act]) : act],
            [t('audit.subject'), subject || '–'],
            [t('audit.from'), whence(entry, t) || '–'],
            [t('audit.number'), seq],
          ]}
        />
        {reason && (
          <p>
            <b>{t('audit.reason')}</b>: {reason}
          </p>
        )}
        {changed ? (
          <Suspense fallback={<Skeleton rows={5} />}>
            <DiffView label={t('audit.changes')} before={written(before)} after={written(after)} />
          </Suspense>
        ) : (
          <p className={ink.fine}>{t('audit.noChanges')}</p>
        )}
        <p className={style.seal}>
          <span className={ink.fine}>{t('audit.seal')}</span> <code>{seal}</code>{' '}
          <Copy text={`${seq} ${seal}`} label={t('audit.copySeal')} size={26} />
        </p>
      </div>
    </Dialog>
  );
}

function written(value: AuditEntry['before']): string {
  return value === null || value === undefined ? '' : stringify(value, { sortMapEntries: true });
}
