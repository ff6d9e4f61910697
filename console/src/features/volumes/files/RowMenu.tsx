/** What can be done with one file or folder. */
import { useState } from 'react';
import type { FileEntry } from '@/api/files';
import { useT } from '@/app/i18n';
import { notify } from '@/app/notify';
import { Icon } from '@/ui/icons';
import { AnchoredMenu } from '@/ui/menu/AnchoredMenu';
import { MenuItem } from '@/ui/menu/Dropdown';
import { copyText } from '@/ui/words/clipboard';
import lists from '@/ui/table/lists.module.css';

interface Props {
  entry: FileEntry;
  /** The address of it, where others can come there. */
  link: string | undefined;
  writes: boolean;
  /** Makes a version of a dataset of it. */
  onKeep?: (() => void) | undefined;
  onAsk: (what: 'rename' | 'move' | 'copy') => void;
  onDelete: () => void;
}

export function RowMenu({ entry, link, writes, onKeep, onAsk, onDelete }: Props) {
  const t = useT();
  const [button, setButton] = useState<HTMLElement | null>(null);
  const label = t('files.actsFor', { name: entry.name });
  if (!writes && link === undefined && !onKeep) return null;
  const copyLink = () => void copyText(link ?? '').then((done) => done && notify({ message: t('files.linkCopied') }));
  return (
    <>
      <button
        type="button"
        className={lists.menuButton}
        aria-label={label}
        aria-haspopup="menu"
        title={label}
        onClick={(event) => setButton(event.currentTarget)}
      >
        <Icon name="more" size={14} />
      </button>
      {button && (
        <AnchoredMenu button={button} label={label} onClose={() => setButton(null)}>
          {link !== undefined && (
            <MenuItem icon="link" onChoose={copyLink}>
              {t('files.copyLink')}
            </MenuItem>
          )}
          {onKeep && (
            <MenuItem icon="datasets" onChoose={onKeep}>
              {t('files.makeVersion')}
            </MenuItem>
          )}
          {writes && (
            <>
              <MenuItem icon="edit" keys="F2" onChoose={() => onAsk('rename')}>
                {t('files.rename')}
              </MenuItem>
              <MenuItem icon="move" onChoose={() => onAsk('move')}>
                {t('files.moveTo')}
              </MenuItem>
              <MenuItem icon="copy" onChoose={() => onAsk('copy')}>
                {t('files.copyTo')}
              </MenuItem>
              <MenuItem icon="trash" danger onChoose={onDelete}>
                {t('files.delete')}
              </MenuItem>
            </>
          )}
        </AnchoredMenu>
      )}
    </>
  );
}
