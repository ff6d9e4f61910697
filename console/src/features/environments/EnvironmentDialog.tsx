/** What one environment holds. Load it lazily. */
import { useQuery } from '@tanstack/react-query';
import { environmentKeys, getEnvironment } from '@/api/environments';
import type { EnvironmentRow } from '@/api/environments';
import { useT } from '@/app/i18n';
import { Dialog } from '@/ui/dialog/Dialog';
import { errorText } from '@/ui/page/States';
import ink from '@/ui/theme/ink.module.css';
import style from './Environments.module.css';

export default function EnvironmentDialog({ row, onClose }: { row: EnvironmentRow; onClose: () => void }) {
  const t = useT();
  const { data, error } = useQuery({ queryKey: environmentKeys.one(row.key), queryFn: ({ signal }) => getEnvironment(row.key, signal) });
  return (
    <Dialog title={t('environments.title', { key: row.key })} size={560} onClose={onClose}>
      {error && <p className={ink.error}>{errorText(error, t)}</p>}
      {data && (
        <div className={style.dialog}>
          <p className={ink.quiet}>{t('environments.where', { path: data.path, python: data.python || '–' })}</p>
          {data.content.length > 0 && (
            <section>
              <h3>{t('environments.madeFrom')}</h3>
              <pre className={style.lines}>{data.content.join('\n')}</pre>
            </section>
          )}
          <section>
            <h3>{t('environments.installed', { count: data.installed.length })}</h3>
            <ul className={style.packages}>
              {data.installed.map(({ name, version }) => (
                <li key={name}>
                  <span>{name}</span> <span className={ink.quiet}>{version}</span>
                </li>
              ))}
            </ul>
          </section>
        </div>
      )}
    </Dialog>
  );
}
