/** Whom a pasted list means: those it would change, those for whom nothing changes, and words that mean nobody. */
import type { ReactNode } from 'react';
import type { RosterReport } from '@/api/groups';
import { listed, useT } from '@/app/i18n';
import { Icon } from '@/ui/icons';
import type { IconName } from '@/ui/icons';
import style from './Roster.module.css';

interface Props {
  report: RosterReport;
  /** Takes a suggestion. */
  onMend: (word: string, name: string) => void;
}

export function RosterPreview({ report: { changed, already, unknown }, onMend }: Props) {
  const t = useT();
  return (
    <div className={style.preview} role="status">
      <Part icon="done" tone="green" title={t('roster.changed', { count: changed.length })}>
        {changed.length > 0 && <p>{listed(changed)}</p>}
      </Part>
      {already.length > 0 && (
        <Part icon="info" tone="grey" title={t('roster.already', { count: already.length })}>
          <p>{listed(already)}</p>
        </Part>
      )}
      {unknown.length > 0 && (
        <Part icon="warning" tone="amber" title={t('roster.unknown', { count: unknown.length })}>
          <ul className={style.words}>
            {unknown.map(({ word, suggestion }) => (
              <li key={word}>
                <span>{word}</span>
                {suggestion && (
                  <button type="button" className={style.mend} onClick={() => onMend(word, suggestion)}>
                    {t('roster.meant', { name: suggestion })}
                  </button>
                )}
              </li>
            ))}
          </ul>
        </Part>
      )}
    </div>
  );
}

function Part({ icon, tone, title, children }: { icon: IconName; tone: string; title: string; children: ReactNode }) {
  return (
    <div className={style.part} data-tone={tone}>
      <p className={style.partTitle}>
        <Icon name={icon} size={14} />
        {title}
      </p>
      {children}
    </div>
  );
}
