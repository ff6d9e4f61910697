/** Which metrics are shown; none chosen is all. */
import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useT } from '@/app/i18n';
import { CheckList } from '@/ui/form/CheckList';
import { Dropdown } from '@/ui/menu/Dropdown';
import { Icon } from '@/ui/icons';
import { MOST_METRICS } from '../search';
import { useHeld } from '@/parts/metrics/useHeld';
import style from './Metrics.module.css';

/** From here on a search is worth its room. */
const MANY = 12;

interface Props {
  names: string[];
  chosen: string[];
  onChange: (chosen: string[]) => void;
}

export function MetricChoice({ names, chosen: given, onChange }: Props) {
  const t = useT();
  const [chosen, setChosen] = useHeld(given);
  const [open, setOpen] = useState(false);
  const [words, setWords] = useState('');
  const wanted = words.trim().toLowerCase();
  const all = [...new Set([...names, ...chosen])];
  const found = all.filter((name) => name.toLowerCase().includes(wanted));
  const full = chosen.length >= MOST_METRICS;
  const choose = (next: string[]) => {
    setChosen(next);
    onChange(next);
  };
  return (
    <Dropdown
      kind="dialog"
      label={t('metrics.choose')}
      open={open}
      onChange={setOpen}
      align="left"
      className={style.names}
      button={{
        className: style.opener,
        children: (
          <>
            {chosen.length === 0
              ? t('metrics.all', { count: names.length })
              : t('metrics.chosen', { count: chosen.length, of: names.length })}
            <Icon name="down" size={14} />
          </>
        ),
      }}
    >
      {names.length > MANY && (
        <TextInput
          type="search"
          aria-label={t('metrics.find')}
          placeholder={t('metrics.find')}
          value={words}
          onChange={(event) => setWords(event.currentTarget.value)}
        />
      )}
      <CheckList
        label={t('metrics.choose')}
        bare
        options={found.map((name) => ({ value: name, label: name, disabled: full && !chosen.includes(name) }))}
        chosen={chosen}
        onChange={choose}
      />
      <Button variant="default" size="compact-sm" disabled={chosen.length === 0} onClick={() => choose([])}>
        {t('metrics.showAll')}
      </Button>
    </Dropdown>
  );
}
