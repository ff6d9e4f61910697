/** A line for a terminal, with a button that copies it. */
import { ActionIcon, CopyButton } from '@mantine/core';
import { useT } from '@/app/i18n';
import { Icon } from '@/ui/icons';
import style from './FirstSteps.module.css';

export function Command({ text }: { text: string }) {
  const t = useT();
  return (
    <div className={style.command}>
      <code>{text}</code>
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <ActionIcon aria-label={copied ? t('action.copied') : t('steps.copy', { command: text })} title={copied ? t('action.copied') : t('action.copy')} onClick={copy}>
            <Icon name={copied ? 'done' : 'copy'} size={14} />
          </ActionIcon>
        )}
      </CopyButton>
    </div>
  );
}
