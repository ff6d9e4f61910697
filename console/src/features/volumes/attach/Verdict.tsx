/** What was found at an address outside, step by step up to the first that fails. */
import type { Finding } from '@/api/types';
import { useSentence, useT } from '@/app/i18n';
import type { MessageKey } from '@/app/i18n';
import { Icon } from '@/ui/icons';
import style from '../Volumes.module.css';

const STEPS: Record<string, MessageKey> = {
  name: 'volumes.step.name',
  route: 'volumes.step.route',
  login: 'volumes.step.login',
  bucket: 'volumes.step.bucket',
  export: 'volumes.step.export',
  right: 'volumes.step.right',
};

export function Verdict({ findings }: { findings: Finding[] }) {
  const t = useT();
  const say = useSentence();
  return (
    <ul className={style.verdict} aria-label={t('volumes.verdict')}>
      {findings.map(({ code, level, text }) => {
        const step = STEPS[code];
        return (
          <li key={code} data-tone={level === 'ok' ? 'green' : 'red'}>
            <Icon name={level === 'ok' ? 'done' : 'failed'} size={14} />
            <b>{step ? t(step) : code}</b>
            <span className="visually-hidden">{t(level === 'ok' ? 'volumes.step.fine' : 'volumes.step.failed')}</span>
            <span>{say(text)}</span>
          </li>
        );
      })}
    </ul>
  );
}
