/** The keys of a folder: j and k walk, x chooses, Delete deletes, F2 renames, Escape drops the choice. */
import type { FileEntry } from '@/api/files';
import { useT } from '@/app/i18n';
import { useShortcut } from '@/app/shortcuts';
import type { Chosen } from '@/ui/table/useChosen';

interface Keys {
  chosen: Chosen<FileEntry>;
  enabled: boolean;
  onDelete: (entries: FileEntry[]) => void;
  onRename: (entry: FileEntry) => void;
}

const links = () => [...document.querySelectorAll<HTMLElement>('tr[data-key] [data-row-link]')];
const here = () => document.activeElement?.closest<HTMLElement>('tr[data-key]')?.dataset.key;

function step(by: 1 | -1): void {
  const all = links();
  const at = all.findIndex((link) => link.closest<HTMLElement>('tr')?.dataset.key === here());
  all[at === -1 ? 0 : Math.max(0, Math.min(all.length - 1, at + by))]?.focus();
}

export function useFileKeys({ chosen, enabled, onDelete, onRename }: Keys): void {
  const t = useT();
  const choose = (range: boolean) => {
    const key = here();
    if (key !== undefined) chosen.toggle(key, range);
  };
  const some = chosen.rows.length > 0;
  useShortcut('j', t('files.keyNext'), () => step(1));
  useShortcut('k', t('files.keyPrevious'), () => step(-1));
  useShortcut('x', t('files.keyChoose'), () => choose(false), { enabled });
  useShortcut('shift+x', t('files.keyChooseRange'), () => choose(true), { enabled });
  useShortcut('Escape', t('files.keyDrop'), () => chosen.drop(), { enabled: some });
  useShortcut('Delete', t('files.delete'), () => onDelete(chosen.rows), { enabled: enabled && some });
  useShortcut('F2', t('files.rename'), () => onRename(chosen.rows[0]!), { enabled: enabled && chosen.rows.length === 1 });
}
