/** The views of the job list: built in and one's own; the open one is marked and says when it was changed. */
import { ActionIcon, Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import type { SavedView } from '@/api/me';
import { useT } from '@/app/i18n';
import { notify } from '@/app/notify';
import { useChangePreferences, usePreferences } from '@/app/preferences';
import { AnchoredMenu } from '@/ui/menu/AnchoredMenu';
import { MenuItem } from '@/ui/menu/Dropdown';
import { Icon } from '@/ui/icons';
import { errorText } from '@/ui/page/States';
import type { ColumnId } from './column-choice';
import type { JobsSearch } from '../search';
import { BUILT_IN, MOST_VIEWS, openView, ownViews, PAGE, queryOf, readView, sameSearch, withView } from './views';
import type { ViewQuestion } from './ViewDialog';
import style from '../filters/Filters.module.css';

const ViewDialog = lazy(() => import('./ViewDialog'));

interface Props {
  search: JobsSearch;
  /** Null: what fits. */
  columns: ColumnId[] | null;
  onOpen: (search: JobsSearch) => void;
}

const NONE: SavedView[] = [];

export function ViewStrip({ search, columns, onOpen }: Props) {
  const t = useT();
  const known = usePreferences();
  const change = useChangePreferences((error) => notify({ bad: true, title: t('views.refused'), message: errorText(error, t) }));
  const [asking, setAsking] = useState<ViewQuestion | null>(null);
  const own = ownViews(known?.views ?? NONE);
  const open = openView(own, search, columns);
  const builtIn = open ? undefined : BUILT_IN.find((view) => sameSearch(view.search, search));

  /** In the list that is kept now: another tab may have added to it. */
  const put = (name: string, view: SavedView | null) => change((kept) => ({ views: withView(kept.views, name, view) }));
  const keep = (name: string) => {
    put(name, { page: PAGE, name, query: queryOf(search, columns) });
    onOpen({ ...search, view: name });
  };
  const rename = (view: SavedView, name: string) => {
    put(view.name, { ...view, name });
    onOpen({ ...search, view: name });
  };
  const remove = (view: SavedView) => {
    put(view.name, null);
    onOpen({ ...search, view: undefined });
  };
  const answer = (question: ViewQuestion, name: string) => {
    setAsking(null);
    if (question.kind === 'save') keep(name);
    else if (question.kind === 'rename') rename(question.view, name);
    else remove(question.view);
  };

  const worthSaving = known !== null && (open?.changed || (!open && !builtIn));
  return (
    <nav className={style.views} aria-label={t('views.label')}>
      {BUILT_IN.map((view) => (
        <button
          key={view.label}
          type="button"
          className={style.view}
          aria-current={view === builtIn || undefined}
          onClick={() => onOpen(view.search)}
        >
          {t(view.label)}
        </button>
      ))}
      {own.length > 0 && <span className={style.divider} />}
      {own.map((view) => (
        <button
          key={view.name}
          type="button"
          className={style.view}
          aria-current={view === open?.view || undefined}
          onClick={() => onOpen({ ...readView(view).search, view: view.name })}
        >
          <Icon name="star" size={12} />
          <span className={style.viewName} title={view.name}>
            {view.name}
          </span>
          {view === open?.view && open.changed && <em>{t('views.changed')}</em>}
        </button>
      ))}
      {open && (
        <ViewMenu
          name={open.view.name}
          changed={open.changed}
          onUpdate={() => keep(open.view.name)}
          onAsk={(kind) => setAsking({ kind, view: open.view })}
        />
      )}
      {worthSaving && own.length < MOST_VIEWS && (
        <Button variant="subtle" size="compact-sm" onClick={() => setAsking({ kind: 'save' })}>
          {t('views.save')}
        </Button>
      )}
      <Suspense fallback={null}>
        {asking && (
          <ViewDialog
            question={asking}
            taken={own.map(({ name }) => name)}
            onAnswer={(name) => answer(asking, name)}
            onClose={() => setAsking(null)}
          />
        )}
      </Suspense>
    </nav>
  );
}

interface MenuProps {
  name: string;
  changed: boolean;
  onUpdate: () => void;
  onAsk: (kind: 'rename' | 'delete') => void;
}

function ViewMenu({ name, changed, onUpdate, onAsk }: MenuProps) {
  const t = useT();
  const [button, setButton] = useState<HTMLElement | null>(null);
  const label = t('views.actions', { name });
  return (
    <>
      <ActionIcon size={26} aria-label={label} title={label} aria-haspopup="menu" onClick={(event) => setButton(event.currentTarget)}>
        <Icon name="more" />
      </ActionIcon>
      {button && (
        <AnchoredMenu button={button} label={label} onClose={() => setButton(null)}>
          <MenuItem icon="done" disabled={!changed} onChoose={onUpdate}>
            {t('views.update')}
          </MenuItem>
          <MenuItem icon="edit" onChoose={() => onAsk('rename')}>
            {t('views.rename')}
          </MenuItem>
          <MenuItem icon="trash" danger onChoose={() => onAsk('delete')}>
            {t('views.delete')}
          </MenuItem>
        </AnchoredMenu>
      )}
    </>
  );
}
