/** The columns on the screen: an open view brings its own along, and leaves those that one chose for oneself alone. */
import { useState } from 'react';
import type { SavedView } from '@/api/me';
import { useColumnChoice, useFittingColumns } from './column-choice';
import type { ColumnId } from './column-choice';
import { readView } from './views';

interface Columns {
  /** Null: what fits. */
  chosen: ColumnId[] | null;
  shown: ColumnId[];
  choose: (columns: ColumnId[] | null) => void;
}

export function useColumns(view: SavedView | undefined): Columns {
  const [own, chooseOwn] = useColumnChoice();
  /** What was changed while a view is open: it is kept when the view is updated. */
  const [changed, setChanged] = useState<{ view: string; columns: ColumnId[] | null } | null>(null);
  const fitting = useFittingColumns();
  const ofView = view && (changed?.view === view.name ? changed.columns : readView(view).columns);
  const chosen = ofView === undefined ? own : ofView;
  return { chosen, shown: chosen ?? fitting, choose: (columns) => (view ? setChanged({ view: view.name, columns }) : chooseOwn(columns)) };
}
