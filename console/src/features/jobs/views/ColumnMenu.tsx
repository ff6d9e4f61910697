/** Which columns the table shows. */
import { useT } from '@/app/i18n';
import { MenuItem, MenuLine } from '@/ui/menu/Dropdown';
import { COLUMN_IDS, COLUMN_WORDS } from './column-choice';
import type { ColumnId } from './column-choice';
import { ManyMenu } from '../filters/FilterMenu';

/** The name is not up for choice: a row without it is nobody's. */
const CHOICES = COLUMN_IDS.filter((id) => id !== 'name');

export function ColumnMenu({ columns, onChange }: { columns: ColumnId[]; onChange: (columns: ColumnId[] | null) => void }) {
  const t = useT();
  return (
    <ManyMenu
      label={t('jobs.columns')}
      icon="columns"
      active={false}
      align="right"
      choices={CHOICES.map((value) => ({ value, label: t(COLUMN_WORDS[value]) }))}
      chosen={columns.filter((id) => id !== 'name')}
      onChange={(chosen) => onChange(['name', ...chosen])}
    >
      <MenuLine />
      <MenuItem onChoose={() => onChange(null)}>{t('jobs.columnsReset')}</MenuItem>
    </ManyMenu>
  );
}
