/** What an earlier visit left unsent, offered again. */
import { Button } from '@mantine/core';
import { useT } from '@/app/i18n';
import { Notice } from '@/ui/page/Panel';
import { Ago } from '@/ui/words/Time';
import type { Draft } from './draft';
import style from '../Submit.module.css';

export function DraftOffer({ draft, onRestore, onDiscard }: { draft: Draft; onRestore: () => void; onDiscard: () => void }) {
  const t = useT();
  const name = /^name:[ \t]*["']?([^\s"'#]+)/m.exec(draft.text)?.[1];
  return (
    <Notice tone="blue" icon="clock" title={name ? t('draft.titleOf', { name }) : t('draft.title')}>
      <div className={style.offer}>
        <span>
          {t('draft.text')} <Ago at={new Date(draft.at).toISOString()} />
        </span>
        <Button size="compact-xs" onClick={onRestore}>
          {t('draft.restore')}
        </Button>
        <Button size="compact-xs" variant="default" onClick={onDiscard}>
          {t('draft.discard')}
        </Button>
      </div>
    </Notice>
  );
}
