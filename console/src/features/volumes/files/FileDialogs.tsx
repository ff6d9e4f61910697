/** What is asked before files are changed: a name, or a folder to put them into. Load it lazily. */
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { pathInto, shownPath, splitPath } from '@/api/files';
import { copyFile, copyFiles, makeFolder, moveFiles, renameFile, volumeKeys } from '@/api/volumes';
import { useT } from '@/app/i18n';
import { notify } from '@/app/notify';
import { Folders } from '@/parts/files/Folders';
import type { FileSource } from '@/parts/files/source';
import { Way } from '@/parts/files/Way';
import { useSave } from '@/parts/useSave';
import { FormDialog } from '@/ui/dialog/FormDialog';
import { tellFailures } from './failures';
import { spelled } from '../upload/gather';

export type Asked =
  | { what: 'folder' | 'rename'; path: string; paths?: never }
  | { what: 'move' | 'copy'; paths: string[]; path?: never }
  | { what: 'move' | 'copy'; path: string; paths?: never };

interface Props {
  asked: Asked;
  source: FileSource;
  volume: string;
  onClose: () => void;
}

export default function FileDialogs({ asked, ...rest }: Props) {
  if (asked.what === 'folder' || asked.what === 'rename') return <NameDialog {...rest} what={asked.what} path={asked.path} />;
  return <FolderDialog {...rest} what={asked.what} paths={asked.paths ?? [asked.path]} />;
}

function NameDialog({ what, path, volume, onClose }: Omit<Props, 'asked'> & { what: 'folder' | 'rename'; path: string }) {
  const t = useT();
  const renames = what === 'rename';
  const [folder, key] = renames ? splitPath(path) : [path, ''];
  const [name, setName] = useState(shownPath(key));
  const wanted = name.trim();
  const save = useSave({
    save: (): Promise<unknown> => {
      const to = pathInto(folder, spelled(wanted));
      return renames ? renameFile(volume, path, to) : makeFolder(volume, to);
    },
    close: onClose,
    invalidate: [volumeKeys.files(volume)],
  });
  const slash = wanted.includes('/') || wanted === '.' || wanted === '..';
  return (
    <FormDialog
      title={renames ? t('files.renameTitle', { name: shownPath(key) }) : t('files.newFolder')}
      action={t(renames ? 'files.rename' : 'files.create')}
      busy={save.isPending}
      error={save.error}
      disabled={wanted === '' || slash || (renames && wanted === shownPath(key))}
      size={440}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <TextInput
        data-autofocus
        label={t('files.by.name')}
        maxLength={255}
        autoComplete="off"
        spellCheck={false}
        error={slash ? t('files.badName') : undefined}
        value={name}
        onChange={(event) => {
          setName(event.currentTarget.value);
          save.reset();
        }}
      />
    </FormDialog>
  );
}

function FolderDialog({ what, paths, source, volume, onClose }: Omit<Props, 'asked'> & { what: 'move' | 'copy'; paths: string[] }) {
  const t = useT();
  const [path, setPath] = useState(splitPath(paths[0]!)[0]);
  const beside = what === 'copy' && paths.length === 1 && splitPath(paths[0]!)[0] === path;
  const save = useSave({
    save: () => {
      if (what === 'move') return moveFiles(volume, paths, path);
      // Beside itself a copy needs another name.
      return beside ? copyFile(volume, paths[0]!, copyName(paths[0]!)) : copyFiles(volume, paths, path);
    },
    close: ({ items, failed }) => {
      onClose();
      if (items.length > 0) notify({ message: t(what === 'move' ? 'files.moved' : 'files.copied', { count: items.length }) });
      tellFailures(failed);
    },
    invalidate: [volumeKeys.files(volume)],
  });
  // Nothing goes into itself.
  const inside = paths.some((one) => path === one || path.startsWith(`${one}/`));
  const stays = !beside && paths.every((one) => splitPath(one)[0] === path);
  return (
    <FormDialog
      title={t(what === 'move' ? 'files.moveTitle' : 'files.copyTitle', { count: paths.length, name: shownPath(splitPath(paths[0]!)[1]) })}
      action={t(what === 'move' ? 'files.moveHere' : 'files.copyHere')}
      busy={save.isPending}
      error={save.error}
      disabled={inside || stays}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      {path === '' ? <b>{source.name}</b> : <Way path={path} name={source.name} onGo={setPath} />}
      <Folders source={source} path={path} onPath={setPath} />
    </FormDialog>
  );
}

/** `a.csv` → `a (2).csv` */
function copyName(path: string): string {
  const [folder, key] = splitPath(path);
  const [, stem = key, ending = ''] = /^(.+?)((?:\.[A-Za-z0-9]+)*)$/.exec(key) ?? [];
  return pathInto(folder, `${stem} (2)${ending}`);
}
