/** Something that is in the trash: until when, and the way back. */
import { Button } from '@mantine/core';
import type { MessageKey } from '@/app/i18n';
import { useLocale, useT } from '@/app/i18n';
import { useSave } from '@/parts/useSave';
import { Notice } from '@/ui/page/Panel';
import { formatExact } from '@/ui/words/format';
import type { Trashed } from './TrashTable';
import layout from '@/ui/page/layout.module.css';

interface InTrashProps {
  what: Trashed;
  title: MessageKey;
  failed: MessageKey;
  stale: readonly unknown[];
  restore: (id: string) => Promise<unknown>;
}

export function InTrash({ what: { id, name, gone_at: at, can_edit: mayEdit }, title, failed, stale, restore }: InTrashProps) {
  const t = useT();
  const locale = useLocale();
  const save = useSave({
    save: () => restore(id),
    said: t('volumes.restored', { name }),
    invalidate: [stale],
    failed: t(failed),
  });
  return (
    <Notice tone="amber" icon="trash" title={t(title)}>
      <div className={layout.row}>
        <span>{at && t('volumes.inTrashText', { when: formatExact(Date.parse(at), locale) })}</span>
        {mayEdit && (
          <Button size="compact-xs" variant="default" loading={save.isPending} onClick={() => save.mutate()}>
            {t('volumes.restore')}
          </Button>
        )}
      </div>
    </Notice>
  );
}
