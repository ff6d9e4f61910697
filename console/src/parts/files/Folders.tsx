/** The folders in a folder, to walk down to one of them. */
import { pathInto } from '@/api/files';
import type { FilePage } from '@/api/files';
import { useT } from '@/app/i18n';
import { Icon } from '@/ui/icons';
import { ErrorState, Skeleton } from '@/ui/page/States';
import type { FileSource } from './source';
import { useFiles } from './useFiles';
import ink from '@/ui/theme/ink.module.css';
import style from './Files.module.css';

export function Folders({ source, path, onPath }: { source: FileSource; path: string; onPath: (path: string) => void }) {
  const t = useT();
  const files = useFiles<FilePage>(source, path);
  if (files.isPending) return <Skeleton rows={4} />;
  if (!files.first) return <ErrorState small error={files.error} retry={() => void files.refetch()} />;
  const folders = files.entries.filter(({ kind }) => kind === 'folder');
  return (
    <div className={style.folders}>
      {folders.length === 0 && <p className={`${ink.quiet} ${style.noFolder}`}>{t('files.noFolders')}</p>}
      <ul>
        {folders.map(({ key, name }) => (
          <li key={key}>
            <button type="button" onClick={() => onPath(pathInto(path, key))}>
              <Icon name="projects" size={14} />
              <span className={ink.cut}>{name}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
