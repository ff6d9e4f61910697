/** Takes files and folders that are dropped on it. The buttons inside do the same by keyboard. */
import type { DragEvent, ReactNode } from 'react';
import { useRef, useState } from 'react';
import { useT } from '@/app/i18n';
import { notify } from '@/app/notify';
import { droppedFiles } from '../upload/gather';
import type { Gathered } from '../upload/gather';
import style from '../Volumes.module.css';

export function DropZone({ enabled, onFiles, children }: { enabled: boolean; onFiles: (files: Gathered[]) => void; children: ReactNode }) {
  const t = useT();
  const [over, setOver] = useState(false);
  /** How deep inside the pointer is: every element in it tells of coming and going. */
  const depth = useRef(0);
  const holds = ({ dataTransfer }: DragEvent) => enabled && dataTransfer.types.includes('Files');
  const leave = () => {
    depth.current = Math.max(0, depth.current - 1);
    if (depth.current === 0) setOver(false);
  };
  const drop = (event: DragEvent) => {
    if (!holds(event)) return;
    event.preventDefault();
    depth.current = 0;
    setOver(false);
    droppedFiles(event.dataTransfer).then(onFiles, () => notify({ bad: true, message: t('files.unreadable') }));
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- dropping is for the pointer alone
    <div
      className={style.files}
      data-over={over || undefined}
      onDragEnter={(event) => {
        if (!holds(event)) return;
        depth.current += 1;
        setOver(true);
      }}
      onDragOver={(event) => holds(event) && event.preventDefault()}
      onDragLeave={leave}
      onDrop={drop}
    >
      {children}
      {over && <div className={style.drop}>{t('files.dropHere')}</div>}
    </div>
  );
}
