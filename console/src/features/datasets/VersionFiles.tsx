/** The files of a version: to browse and look into; they never change. */
import { Button } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useMemo } from 'react';
import { datasetFileUrl, datasetKeys, listDatasetFiles, previewDatasetRows } from '@/api/datasets';
import type { Dataset, DatasetFiles, DatasetVersion } from '@/api/datasets';
import { useT } from '@/app/i18n';
import { FileBrowser } from '@/parts/files/FileBrowser';
import type { FileSource } from '@/parts/files/source';
import { useFiles } from '@/parts/files/useFiles';
import { Way } from '@/parts/files/Way';
import { Icon } from '@/ui/icons';
import { EmptyState } from '@/ui/page/States';
import layout from '@/ui/page/layout.module.css';
import lists from '@/ui/table/lists.module.css';

const route = getRouteApi('/app/datasets/$dataset');

interface Props {
  dataset: Dataset;
  version: DatasetVersion;
  choice: ReactNode;
}

export default function VersionFiles({ dataset: { id, name }, version: { version }, choice }: Props) {
  const t = useT();
  const { path = '', file } = route.useSearch();
  const navigate = route.useNavigate();
  const source = useMemo(() => sourceOf(id, version, `${name}@${version}`), [id, version, name]);
  const files = useFiles(source, path);
  return (
    <div className={lists.frame}>
      <div className={layout.toolbar}>
        {choice}
        <Way
          path={path}
          name={source.name}
          onGo={(to) => void navigate({ search: (old) => ({ ...old, path: to || undefined, file: undefined }) })}
        />
        <span className={layout.spring} />
        {files.entries.length > 0 && (
          <Button variant="default" leftSection={<Icon name="download" size={14} />} component="a" href={source.url(path)} download>
            {t('files.downloadFolder')}
          </Button>
        )}
      </div>
      <FileBrowser
        source={source}
        files={files}
        path={path}
        onPath={(to) => void navigate({ search: (old) => ({ ...old, path: to || undefined, file: undefined }) })}
        open={file}
        onOpen={(key) => void navigate({ search: (old) => ({ ...old, file: key }), replace: true })}
        none={() => <EmptyState icon="projects" title={t('files.emptyFolder')} />}
      />
    </div>
  );
}

function sourceOf(dataset: string, version: string, name: string): FileSource<DatasetFiles> {
  return {
    key: datasetKeys.files(dataset, version),
    name,
    list: (path, order, cursor, signal) => listDatasetFiles(dataset, version, path, order, cursor, signal),
    rows: (path, signal) => previewDatasetRows(dataset, version, path, signal),
    url: (path) => datasetFileUrl(dataset, version, path),
  };
}
