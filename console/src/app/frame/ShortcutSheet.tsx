/** The sheet of keyboard shortcuts: those that work now. */
import '@/ui/theme/kit-forms.css';
import { Switch } from '@mantine/core';
import { Dialog } from '@/ui/dialog/Dialog';
import { Keys } from '@/ui/words/Keys';
import { useT } from '../i18n';
import { useShortcuts, useSingleKeys } from '../shortcuts';
import type { Shortcut } from '../shortcuts';
import style from './ShortcutSheet.module.css';

export default function ShortcutSheet({ onClose }: { onClose: () => void }) {
  const t = useT();
  const all = useShortcuts();
  const [singleKeys, changeSingleKeys] = useSingleKeys();
  const page = all.filter(({ scope }) => scope === 'page');
  const ways = all.filter(({ scope, keys }) => scope === 'global' && keys.startsWith('g '));
  const rest = all.filter((shortcut) => !page.includes(shortcut) && !ways.includes(shortcut));
  return (
    <Dialog title={t('shortcuts.title')} onClose={onClose} size={620}>
      <div className={style.groups}>
        <Group title={t('shortcuts.page')} shortcuts={page} />
        <Group title={t('shortcuts.everywhere')} shortcuts={rest} />
        <Group title={t('shortcuts.ways')} shortcuts={ways} />
      </div>
      <div className={style.setting}>
        <Switch
          label={t('shortcuts.single')}
          description={t('shortcuts.singleText')}
          checked={singleKeys}
          onChange={(event) => changeSingleKeys(event.currentTarget.checked)}
        />
      </div>
    </Dialog>
  );
}

function Group({ title, shortcuts }: { title: string; shortcuts: Shortcut[] }) {
  if (shortcuts.length === 0) return null;
  return (
    <section className={style.group}>
      <h3 className={style.title}>{title}</h3>
      <dl>
        {shortcuts.map(({ keys, label }) => (
          <div key={keys} className={style.row}>
            <dt>{label}</dt>
            <dd>
              <Keys keys={keys} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
