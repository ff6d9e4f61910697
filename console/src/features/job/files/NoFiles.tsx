/** Why there is nothing to list: each reason by its own words. */
import type { FileList } from '@/api/files';
import { useT } from '@/app/i18n';
import type { MessageKey } from '@/app/i18n';
import { EmptyState } from '@/ui/page/States';
import { Exact } from '@/ui/words/Time';

const BECAUSE: Record<NonNullable<FileList['gone_because']>, MessageKey> = {
  age: 'files.goneByAge',
  size: 'files.goneBySize',
  disk: 'files.goneByDisk',
};

export function NoFiles({ list, path }: { list: FileList; path: string }) {
  const t = useT();
  if (list.state === 'gone')
    return (
      <EmptyState icon="trash" title={t('files.gone')}>
        {list.gone_since && <Exact at={list.gone_since} />} {list.gone_because && t(BECAUSE[list.gone_because])}
      </EmptyState>
    );
  if (list.state === 'elsewhere')
    return (
      <EmptyState icon="clusters" title={t('files.elsewhere')}>
        {t('files.elsewhereText')}
      </EmptyState>
    );
  if (list.state === 'not_started')
    return (
      <EmptyState icon="queued" title={t('files.notStarted')}>
        {t('files.notStartedText')}
      </EmptyState>
    );
  return (
    <EmptyState icon="projects" title={path === '' ? t('files.nothing') : t('files.emptyFolder')}>
      {path === '' && t(list.live ? 'files.nothingYet' : 'files.nothingText')}
    </EmptyState>
  );
}
