/** A dataset that is in the trash: until when, and the way back. */
import { Button } from '@mantine/core';
import { restoreDataset, datasetKeys } from '@/api/datasets';
import type { Dataset } from '@/api/datasets';
import { useLocale, useT } from '@/app/i18n';
import { useSave } from '@/parts/useSave';
import { Notice } from '@/ui/page/Panel';
import { formatExact } from '@/ui/words/format';
import layout from '@/ui/page/layout.module.css';

export function InTrash({ dataset: { id, name, gone_at: at, can_edit: mayEdit } }: { dataset: Dataset }) {
  const t = useT();
  const locale = useLocale();
  const restore = useSave({
    save: () => restoreDataset(id),
    said: t('volumes.restored', { name }),
    invalidate: [datasetKeys.all],
    failed: t('datasets.failed'),
  });
  return (
    <Notice tone="amber" icon="trash" title={t('datasets.inTrash')}>
      <div className={layout.row}>
        <span>{at && t('volumes.inTrashText', { when: formatExact(Date.parse(at), locale) })}</span>
        {mayEdit && (
          <Button size="compact-xs" variant="default" loading={restore.isPending} onClick={() => restore.mutate()}>
            {t('volumes.restore')}
          </Button>
        )}
      </div>
    </Notice>
  );
}
