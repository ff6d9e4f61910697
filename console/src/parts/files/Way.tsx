/** The folders above, each to go back to. */
import { shownPath } from '@/api/files';
import { useT } from '@/app/i18n';
import style from './Files.module.css';

export function Way({ path, name, onGo }: { path: string; name: string; onGo: (path: string) => void }) {
  const t = useT();
  if (path === '') return null;
  const parts = path.split('/');
  return (
    <nav aria-label={t('files.way')} className={style.way}>
      <button type="button" onClick={() => onGo('')}>
        {name}
      </button>
      {parts.map((part, at) => (
        <span key={parts.slice(0, at + 1).join('/')}>
          <span aria-hidden> / </span>
          {at === parts.length - 1 ? (
            <b aria-current="page">{shownPath(part)}</b>
          ) : (
            <button type="button" onClick={() => onGo(parts.slice(0, at + 1).join('/'))}>
              {shownPath(part)}
            </button>
          )}
        </span>
      ))}
    </nav>
  );
}
