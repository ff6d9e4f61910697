/** How the order comes about, for those who ask; folded otherwise. */
import { Link } from '@tanstack/react-router';
import type { MessageKey } from '@/app/i18n';
import { useT } from '@/app/i18n';
import { Icon } from '@/ui/icons';
import style from './Queue.module.css';

const RULES: [title: MessageKey, text: MessageKey][] = [
  ['turn.pin', 'turn.pinText'],
  ['turn.priority', 'turn.priorityText'],
  ['turn.share', 'turn.shareText'],
  ['turn.score', 'turn.scoreText'],
  ['turn.own', 'turn.ownText'],
  ['turn.created', 'turn.createdText'],
];

export function TurnHelp({ user }: { user: string }) {
  const t = useT();
  return (
    <details className={style.help}>
      <summary>
        <Icon name="info" size={14} />
        {t('turn.title')}
      </summary>
      <p>{t('turn.intro')}</p>
      <ol className={style.rules}>
        {RULES.map(([title, text]) => (
          <li key={title}>
            <b>{t(title)}</b>
            <span>{t(text)}</span>
            {title === 'turn.score' && (
              <Link to="/scores/$user" params={{ user }}>
                {t('turn.scoreLink')}
              </Link>
            )}
            {title === 'turn.own' && (
              <Link to="/queue" search={{ owner: 'me' }}>
                {t('turn.ownLink')}
              </Link>
            )}
          </li>
        ))}
      </ol>
      <p>{t('turn.outro')}</p>
    </details>
  );
}
