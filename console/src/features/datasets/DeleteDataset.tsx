/** Asks before a dataset goes into the trash. Load it lazily. */
import { useNavigate } from '@tanstack/react-router';
import { datasetKeys, deleteDataset, restoreDataset } from '@/api/datasets';
import type { Dataset } from '@/api/datasets';
import { useT } from '@/app/i18n';
import { notify } from '@/app/notify';
import { queryClient } from '@/app/queries';
import { sharedInShort } from '@/parts/sharing/words';
import { useSave } from '@/parts/useSave';
import { FormDialog } from '@/ui/dialog/FormDialog';
import { errorText } from '@/ui/page/States';
import layout from '@/ui/page/layout.module.css';

export default function DeleteDataset({ dataset, onClose }: { dataset: Dataset; onClose: () => void }) {
  const t = useT();
  const navigate = useNavigate();
  const { id, name } = dataset;
  const restore = async () => {
    try {
      await restoreDataset(id);
      await queryClient.invalidateQueries({ queryKey: datasetKeys.all });
    } catch (error) {
      notify({ bad: true, title: t('datasets.failed'), message: errorText(error, t) });
    }
  };
  const remove = useSave({
    save: () => deleteDataset(id),
    close: () => {
      onClose();
      notify({ message: t('volumes.trashedForNow', { name }), action: { label: t('files.undo'), run: () => void restore() } });
    },
    gone: { forget: datasetKeys.one(id), leave: () => navigate({ to: '/datasets' }) },
    invalidate: [datasetKeys.all],
  });
  const shared = sharedInShort(dataset, t);
  return (
    <FormDialog
      danger
      size={440}
      title={t('volumes.deleteTitle', { name })}
      action={t('volumes.toTrash')}
      busy={remove.isPending}
      error={remove.error}
      onSubmit={() => remove.mutate()}
      onClose={onClose}
    >
      <div className={layout.stack}>
        <p>{t('datasets.deleteText')}</p>
        {shared && <p>{t('volumes.deleteShared', { names: shared })}</p>}
      </div>
    </FormDialog>
  );
}
