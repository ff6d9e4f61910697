/** Asks before a volume goes into the trash: what is lost, and when for good. Load it lazily. */
import { useNavigate } from '@tanstack/react-router';
import { deleteVolume, getVolume, restoreVolume, volumeKeys } from '@/api/volumes';
import type { Volume } from '@/api/volumes';
import { useLocale, useT } from '@/app/i18n';
import { notify } from '@/app/notify';
import { queryClient } from '@/app/queries';
import { sharedInShort } from '@/parts/sharing/words';
import { useSave } from '@/parts/useSave';
import { FormDialog } from '@/ui/dialog/FormDialog';
import { errorText } from '@/ui/page/States';
import { formatBytes, formatExact } from '@/ui/words/format';
import layout from '@/ui/page/layout.module.css';

export default function DeleteVolume({ volume, onClose }: { volume: Volume; onClose: () => void }) {
  const t = useT();
  const locale = useLocale();
  const navigate = useNavigate();
  const { id, name, used, entries, uses } = volume;
  const restore = async () => {
    try {
      await restoreVolume(id);
      await queryClient.invalidateQueries({ queryKey: volumeKeys.all });
    } catch (error) {
      notify({ bad: true, title: t('volumes.failed'), message: errorText(error, t) });
    }
  };
  const remove = useSave({
    save: async () => {
      await deleteVolume(id);
      // Only now the server says until when.
      return getVolume(id).catch(() => null);
    },
    close: (trashed) => {
      onClose();
      const until = trashed?.gone_at;
      const message = until
        ? t('volumes.trashed', { name, when: formatExact(Date.parse(until), locale) })
        : t('volumes.trashedForNow', { name });
      notify({ message, action: { label: t('files.undo'), run: () => void restore() } });
    },
    gone: { forget: volumeKeys.one(id), leave: () => navigate({ to: '/volumes' }) },
    invalidate: [volumeKeys.all],
  });
  const shared = sharedInShort(volume, t);
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
        <p>{t('volumes.deleteText', { size: formatBytes(used ?? 0), count: entries ?? 0 })}</p>
        {shared && <p>{t('volumes.deleteShared', { names: shared })}</p>}
        {uses.length > 0 && <p>{t('volumes.deleteUsed', { count: uses.length })}</p>}
      </div>
    </FormDialog>
  );
}
