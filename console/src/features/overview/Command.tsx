/** A line for a terminal, with a button that copies it. */
import { useT } from '@/app/i18n';
import { Copy } from '@/ui/words/clipboard';
import style from './FirstSteps.module.css';

export function Command({ text }: { text: string }) {
  const t = useT();
  return (
    <div className={style.command}>
      <code>{text}</code>
      <Copy text={text} label={t('steps.copy', { command: text })} />
    </div>
  );
}
