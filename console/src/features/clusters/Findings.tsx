/** What was looked at in a cluster: how it is, in words, and how to mend it. */
import type { Finding } from '@/api/types';
import { useSentence, useT } from '@/app/i18n';
import type { MessageKey } from '@/app/i18n';
import { Copy } from '@/ui/words/clipboard';
import { Icon } from '@/ui/icons';
import type { IconName } from '@/ui/icons';
import type { Tone } from '@/ui/words/Status';
import style from './Clusters.module.css';

const LEVELS: Record<Finding['level'], { icon: IconName; tone: Tone; word: MessageKey }> = {
  ok: { icon: 'done', tone: 'green', word: 'clusters.level.ok' },
  warning: { icon: 'warning', tone: 'amber', word: 'clusters.level.warning' },
  missing: { icon: 'failed', tone: 'red', word: 'clusters.level.missing' },
};

export function Findings({ findings }: { findings: Finding[] }) {
  const t = useT();
  return (
    <ul className={style.findings} aria-label={t('clusters.findings')}>
      {findings.map((finding) => (
        <Found key={`${finding.code} ${finding.text.en}`} finding={finding} />
      ))}
    </ul>
  );
}

function Found({ finding: { level, text, fix } }: { finding: Finding }) {
  const t = useT();
  const say = useSentence();
  const { icon, tone, word } = LEVELS[level];
  return (
    <li className={style.finding} data-tone={tone}>
      <span className={style.findingIcon}>
        <Icon name={icon} size={14} />
      </span>
      <div className={style.findingText}>
        <p>
          <span className="visually-hidden">{t(word)}: </span>
          {say(text)}
        </p>
        {fix && level !== 'ok' && (
          <div className={style.fix}>
            <code>{say(fix)}</code>
            <Copy text={say(fix)} label={t('clusters.copyFix')} size={22} />
          </div>
        )}
      </div>
    </li>
  );
}
