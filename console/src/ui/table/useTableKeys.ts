/** The keys of a table whose rows can be chosen: j and k walk, x chooses, Escape drops the choice. */
import type { RefObject } from 'react';
import { useT } from '@/app/i18n';
import { useShortcut } from '@/app/shortcuts';
import type { TableControl } from './VirtualBody-focus';

interface Choosing {
  ids: ReadonlySet<string>;
  toggle: (id: string, range: boolean) => void;
  drop: () => void;
}

export function useTableKeys(control: RefObject<TableControl | null>, { ids, toggle, drop }: Choosing): void {
  const t = useT();
  const choose = (range: boolean) => {
    const here = control.current?.here();
    if (here) toggle(here, range);
  };
  useShortcut('j', t('jobs.keyNext'), () => control.current?.step(1));
  useShortcut('k', t('jobs.keyPrevious'), () => control.current?.step(-1));
  useShortcut('x', t('jobs.keyChoose'), () => choose(false));
  useShortcut('shift+x', t('jobs.keyChooseRange'), () => choose(true));
  useShortcut('Escape', t('jobs.keyDrop'), () => drop(), { enabled: ids.size > 0 });
}
