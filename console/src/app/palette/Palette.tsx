/** The command palette: pages, actions, jobs and what else has a name by a few letters; the keyboard suffices. */
import '@/ui/theme/kit-dialogs.css';
import { Modal } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useId, useState } from 'react';
import { useReturnFocus } from '@/ui/dialog/Dialog';
import { Icon } from '@/ui/icons';
import { Keys } from '@/ui/words/Keys';
import { useT } from '../i18n';
import { pressed } from '../shortcut-keys';
import { find } from './find';
import { useOwnGroups } from './items';
import type { Group, Item } from './items';
import { Options } from './Options';
import { useFoundJobs } from './useFoundJobs';
import { useFoundNames } from './useFoundNames';
import style from './Palette.module.css';

const WAIT_MS = 180;

export default function Palette({ onClose }: { onClose: () => void }) {
  const t = useT();
  const id = useId();
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState<string | null>(null);
  const own = useOwnGroups();
  const [settled] = useDebouncedValue(typed.trim(), WAIT_MS);
  const jobs = useFoundJobs(typed, settled);
  const names = useFoundNames({ typed, settled });
  const busy = jobs.busy || names.busy;
  const failed = jobs.failed || names.failed;
  useReturnFocus();

  const groups = matching(typed, own, [jobs.group, ...names.groups]);
  const items = groups.flatMap((group) => group.items);
  const active = items.find((item) => item.id === chosen) ?? items[0];
  const optionId = (item: Item) => `${id}-${item.id.replaceAll(/[^\w-]/g, '-')}`;

  const run = (item: Item) => {
    onClose();
    item.run();
  };
  const step = (by: 1 | -1) => {
    const at = items.findIndex((item) => item === active);
    setChosen(items.at((at + by) % items.length)?.id ?? null);
  };
  const onKeyDown = (event: React.KeyboardEvent) => {
    const key = pressed(event.nativeEvent);
    if (key === 'ArrowDown') step(1);
    else if (key === 'ArrowUp') step(-1);
    else if (key === 'Enter' && active) run(active);
    else if (key === 'mod+k') onClose();
    else return;
    event.preventDefault();
  };

  return (
    <Modal.Root opened onClose={onClose} size={600} yOffset="10vh" centered={false} classNames={{ content: style.dialog }}>
      <Modal.Overlay backgroundOpacity={0.45} />
      <Modal.Content aria-label={t('palette.title')}>
        <div className={style.field}>
          <Icon name="search" />
          <input
            data-autofocus
            className={style.input}
            role="combobox"
            aria-expanded={items.length > 0}
            aria-controls={`${id}-list`}
            aria-activedescendant={active && optionId(active)}
            aria-autocomplete="list"
            aria-label={t('palette.open')}
            placeholder={t('palette.placeholder')}
            autoComplete="off"
            spellCheck={false}
            value={typed}
            onChange={(event) => {
              setTyped(event.currentTarget.value);
              setChosen(null);
            }}
            onKeyDown={onKeyDown}
          />
          {busy && (
            <span className={style.busy} aria-hidden="true">
              <Icon name="starting" />
            </span>
          )}
        </div>
        <Options
          listId={`${id}-list`}
          groups={groups}
          active={active}
          optionId={optionId}
          jobOf={jobs.jobOf}
          onPoint={(item) => setChosen(item.id)}
          onRun={run}
        />
        <p role="status" className={items.length === 0 || failed ? style.nothing : 'visually-hidden'}>
          {failed ? t('palette.failed') : busy && items.length === 0 ? t('palette.searching') : t('palette.count', { count: items.length })}
        </p>
        <Hints />
      </Modal.Content>
    </Modal.Root>
  );
}

/** Without words: everything of the console; with words: what they find, what the server knows last. */
function matching(typed: string, own: Group[], found: Group[]): Group[] {
  const groups = typed.trim() === '' ? own : [...own.map((group) => ({ ...group, items: find(typed, group.items) })), ...found];
  return groups.filter((group) => group.items.length > 0);
}

function Hints() {
  const t = useT();
  return (
    <div className={style.hints} aria-hidden="true">
      <span>
        <Keys keys="ArrowUp" /> <Keys keys="ArrowDown" /> {t('palette.choose')}
      </span>
      <span>
        <Keys keys="Enter" /> {t('palette.run')}
      </span>
      <span>
        <Keys keys="Escape" /> {t('action.close')}
      </span>
    </div>
  );
}
