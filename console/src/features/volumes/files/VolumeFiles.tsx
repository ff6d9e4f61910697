/** The files of a volume: browse, look into, upload, and change as far as one may. */
import '@/ui/theme/kit-forms.css';
import { Button } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import { lazy, Suspense, useMemo, useState } from 'react';
import { listVolumeFiles, previewRows, volumeFileUrl, volumeKeys } from '@/api/volumes';
import type { VolumeFiles as Page } from '@/api/volumes';
import type { FileEntry } from '@/api/files';
import { pathInto } from '@/api/files';
import { useT } from '@/app/i18n';
import { useMay } from '@/app/session';
import { FileBrowser } from '@/parts/files/FileBrowser';
import type { FileSource } from '@/parts/files/source';
import { useFiles } from '@/parts/files/useFiles';
import { Way } from '@/parts/files/Way';
import { Icon } from '@/ui/icons';
import { EmptyState } from '@/ui/page/States';
import { ChosenBar } from '@/ui/table/ChosenBar';
import { useChosen } from '@/ui/table/useChosen';
import { chosenFiles } from '../upload/gather';
import { FilePicker } from '../upload/FilePicker';
import { Interrupted } from '../upload/Interrupted';
import { UploadPanel } from '../upload/UploadPanel';
import { useUploads } from '../upload/uploads';
import { DropZone } from './DropZone';
import { RowMenu } from './RowMenu';
import { TrashView } from './TrashView';
import type { Asked } from './FileDialogs';
import { useDelete } from './useDelete';
import { useFileKeys } from './useFileKeys';
import layout from '@/ui/page/layout.module.css';
import style from '../Volumes.module.css';

const FileDialogs = lazy(() => import('./FileDialogs'));
const SnapshotDialog = lazy(() => import('@/parts/datasets/SnapshotDialog'));
const route = getRouteApi('/app/volumes/$volume');
const keyOf = ({ key }: FileEntry) => key;

interface Props {
  volume: string;
  name: string;
  /** OWNER:NAME, by which others find it; the two that are given have none. */
  title?: string;
  writes: boolean;
  /** Its files are at an address outside: no version of a dataset is made of them. */
  outside?: boolean;
}

export default function VolumeFiles({ volume, name, title, writes, outside = false }: Props) {
  const t = useT();
  const { path = '', file, trash } = route.useSearch();
  const navigate = route.useNavigate();
  const mayImport = useMay('transfer:write');
  const mayKeep = useMay('dataset:write') && !outside;
  const [asked, setAsked] = useState<Asked | null>(null);
  /** The folder that becomes a version of a dataset. */
  const [kept, setKept] = useState<string | null>(null);
  const source = useMemo(() => sourceOf(volume, name), [volume, name]);
  const files = useFiles(source, path);
  const chosen = useChosen(files.entries, keyOf);
  const remove = useDelete(volume);
  const { queue } = useUploads();
  const pathsOf = (entries: readonly FileEntry[]) => entries.map(({ key }) => pathInto(path, key));
  useFileKeys({
    chosen,
    enabled: writes && trash !== 'on' && asked === null,
    onDelete: (entries) => remove(pathsOf(entries)),
    onRename: (entry) => setAsked({ what: 'rename', path: pathInto(path, entry.key) }),
  });
  const go = (to: string) => {
    chosen.drop();
    void navigate({ search: { path: to || undefined } });
  };
  const upload = (found: { way: string; file: File }[]) =>
    queue.add(found.map(({ way, file: one }) => ({ volume, path: pathInto(path, way), file: one })));
  const uploaders = (
    <>
      <FilePicker tall label={t('files.uploadFiles')} onFiles={(list) => upload(chosenFiles(list))} />
      <FilePicker tall folder label={t('files.uploadFolder')} onFiles={(list) => upload(chosenFiles(list))} />
    </>
  );
  return (
    <div className={layout.parts}>
      {writes && <Interrupted volume={volume} />}
      <UploadPanel />
      <DropZone enabled={writes && trash !== 'on'} onFiles={upload}>
        <div className={layout.toolbar}>
          {trash === 'on' ? <b>{t('files.trash')}</b> : <Way path={path} name={name} onGo={go} />}
          <span className={layout.spring} />
          {writes && trash !== 'on' && (
            <>
              {uploaders}
              {mayImport && (
                <Button
                  variant="default"
                  leftSection={<Icon name="transfers" size={14} />}
                  renderRoot={(props) => (
                    <Link to="/transfers" search={{ into: `${title ?? volume}:/${path ? `${path}/` : ''}` }} {...props} />
                  )}
                >
                  {t('transfers.import')}
                </Button>
              )}
              <Button variant="default" leftSection={<Icon name="plus" size={14} />} onClick={() => setAsked({ what: 'folder', path })}>
                {t('files.newFolder')}
              </Button>
            </>
          )}
          {trash !== 'on' && files.entries.length > 0 && (
            <Button variant="default" leftSection={<Icon name="download" size={14} />} component="a" href={source.url(path)} download>
              {t('files.downloadFolder')}
            </Button>
          )}
          {mayKeep && trash !== 'on' && files.entries.length > 0 && (
            <Button variant="default" leftSection={<Icon name="datasets" size={14} />} onClick={() => setKept(path)}>
              {t('files.makeVersion')}
            </Button>
          )}
          {writes && (
            <Button
              variant={trash === 'on' ? 'light' : 'default'}
              leftSection={<Icon name={trash === 'on' ? 'left' : 'trash'} size={14} />}
              onClick={() => void navigate({ search: trash === 'on' ? {} : { trash: 'on' } })}
            >
              {t(trash === 'on' ? 'files.backToFiles' : 'files.trash')}
            </Button>
          )}
        </div>
        {trash === 'on' ? (
          <TrashView volume={volume} writes={writes} />
        ) : (
          <FileBrowser
            source={source}
            files={files}
            path={path}
            onPath={go}
            open={file}
            onOpen={(key) => void navigate({ search: (old) => ({ ...old, file: key }), replace: true })}
            choice={writes ? { chosen: chosen.keys, toggle: chosen.toggle, toggleAll: chosen.toggleAll } : undefined}
            acts={(entry, at) => (
              <RowMenu
                entry={entry}
                link={title === undefined ? undefined : linkTo(volume, path, entry)}
                writes={writes}
                onKeep={mayKeep && entry.kind === 'folder' ? () => setKept(at) : undefined}
                onAsk={(what) => setAsked({ what, path: at })}
                onDelete={() => remove([at])}
              />
            )}
            none={() => (
              <EmptyState icon="projects" title={t(path === '' ? 'files.emptyVolume' : 'files.emptyFolder')} action={writes && uploaders}>
                {writes && t('files.dropText')}
              </EmptyState>
            )}
          />
        )}
        {trash !== 'on' && writes && (
          <div className={style.chosen}>
            <ChosenBar count={chosen.rows.length} onDrop={chosen.drop}>
              <Button variant="default" onClick={() => setAsked({ what: 'move', paths: pathsOf(chosen.rows) })}>
                {t('files.moveTo')}
              </Button>
              <Button variant="default" onClick={() => setAsked({ what: 'copy', paths: pathsOf(chosen.rows) })}>
                {t('files.copyTo')}
              </Button>
              <Button variant="default" leftSection={<Icon name="trash" size={14} />} onClick={() => remove(pathsOf(chosen.rows))}>
                {t('files.delete')}
              </Button>
            </ChosenBar>
          </div>
        )}
      </DropZone>
      <Suspense fallback={null}>
        {kept !== null && <SnapshotDialog place={{ volume, name: title ?? name, path: kept }} onClose={() => setKept(null)} />}
        {asked && <FileDialogs asked={asked} source={source} volume={volume} onClose={() => setAsked(null)} />}
      </Suspense>
    </div>
  );
}

function sourceOf(volume: string, name: string): FileSource<Page> {
  return {
    key: volumeKeys.files(volume),
    name,
    list: (path, order, cursor, signal) => listVolumeFiles(volume, path, order, cursor, signal),
    rows: (path, signal) => previewRows(volume, path, signal),
    url: (path) => volumeFileUrl(volume, path),
  };
}

/** The address at which those who may read the volume see this file, or what is in this folder. */
function linkTo(volume: string, path: string, { key, kind }: FileEntry): string {
  const url = new URL(`volumes/${encodeURIComponent(volume)}`, document.baseURI);
  if (kind === 'folder') url.searchParams.set('path', pathInto(path, key));
  else {
    if (path !== '') url.searchParams.set('path', path);
    url.searchParams.set('file', key);
  }
  return url.href;
}
