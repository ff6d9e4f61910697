/** Uploads into this volume that a reload or a closed tab has cut off: the browser has lost the files, so they are chosen again. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import { shownPath } from '@/api/files';
import { uploadsUrl } from '@/api/volumes';
import { listed, useT } from '@/app/i18n';
import { useMe } from '@/app/session';
import { Notice } from '@/ui/page/Panel';
import { chosenFiles } from './gather';
import { FilePicker } from './FilePicker';
import { dropRecord, placeBefore, recordsOf } from './records';
import { giveUp } from './tus';
import { useUploads } from './uploads';
import ink from '@/ui/theme/ink.module.css';
import layout from '@/ui/page/layout.module.css';

const MOST_NAMED = 3;

export function Interrupted({ volume }: { volume: string }) {
  const t = useT();
  const { name: user } = useMe();
  const { queue } = useUploads();
  const [strange, setStrange] = useState(0);
  // Those of this visit are in the panel.
  const records = recordsOf(user).filter((one) => one.volume === volume && !queue.holds(volume, one.path));
  const [, redraw] = useState(0);
  if (records.length === 0) return null;

  const take = (files: File[]) => {
    const found = chosenFiles(files).flatMap(({ way, file }) => {
      const path = placeBefore(records, way, file);
      return path === undefined ? [] : [{ volume, path, file }];
    });
    setStrange(files.length - found.length);
    queue.add(found);
  };
  const forget = () => {
    for (const record of records) {
      dropRecord(user, record);
      void giveUp(uploadsUrl(volume), record.upload).catch(() => undefined);
    }
    redraw((count) => count + 1);
  };
  const names = records.slice(0, MOST_NAMED).map(({ path }) => shownPath(path));
  return (
    <Notice tone="amber" icon="warning" title={t('upload.interrupted', { count: records.length })}>
      <p>{t('upload.interruptedText', { names: `${listed(names)}${records.length > MOST_NAMED ? '…' : ''}` })}</p>
      {strange > 0 && <p className={ink.error}>{t('upload.notTheSame', { count: strange })}</p>}
      <div className={layout.row}>
        <FilePicker label={t('upload.chooseAgain')} onFiles={take} />
        <FilePicker label={t('upload.chooseFolderAgain')} folder onFiles={take} />
        <Button size="compact-xs" variant="default" onClick={forget}>
          {t('upload.giveUp')}
        </Button>
      </div>
    </Notice>
  );
}
