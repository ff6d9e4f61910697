/** Deleting files: they go at once, and come back by a word in the corner. */
import { deleteFiles, restoreFile, volumeKeys } from '@/api/volumes';
import { useT } from '@/app/i18n';
import { notify } from '@/app/notify';
import { queryClient } from '@/app/queries';
import { useSave } from '@/parts/useSave';
import { errorText } from '@/ui/page/States';
import { tellFailures } from './failures';

export function useDelete(volume: string): (paths: string[]) => void {
  const t = useT();
  const stale = volumeKeys.files(volume);
  const undo = async (entries: string[]) => {
    try {
      await Promise.all(entries.map((entry) => restoreFile(volume, entry)));
    } catch (error) {
      notify({ bad: true, title: t('files.notRestored'), message: errorText(error, t) });
    }
    await queryClient.invalidateQueries({ queryKey: stale });
  };
  const { mutate } = useSave({
    save: (paths: string[]) => deleteFiles(volume, paths),
    close: ({ items, failed }) => {
      // What is deleted from a bucket has no entry in a trash.
      const entries = items.map(({ id }) => id).filter(Boolean);
      notify({
        message: t(entries.length > 0 ? 'files.deleted' : 'files.deletedForGood', { count: items.length }),
        ...(entries.length > 0 && { action: { label: t('files.undo'), run: () => void undo(entries) } }),
      });
      tellFailures(failed);
    },
    invalidate: [stale],
    always: true,
    failed: t('files.notDeleted'),
  });
  return mutate;
}
