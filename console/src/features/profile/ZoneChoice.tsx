/** The time zone: the browser's own, or any by city, name or distance from Greenwich. */
import '@/ui/theme/kit-choices.css';
import '@/ui/theme/kit-forms.css';
import { Select } from '@mantine/core';
import type { ComboboxItem, OptionsFilter } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useAppearance } from '@/app/appearance';
import { useLocale, useT } from '@/app/i18n';
import { browserTimeZone, useTimeZone } from '@/app/time-zone';
import { useNow } from '@/ui/words/clock';
import { formatZoned } from '@/ui/words/format';
import { listZones, matchesZone } from './zones';
import type { Zone } from './zones';
import ink from '@/ui/theme/ink.module.css';
import style from './Profile.module.css';

/** The value of the first option; no zone has it. */
const OWN = '';
const MOST_SHOWN = 60;

export default function ZoneChoice({ id: fieldId }: { id: string }) {
  const t = useT();
  const locale = useLocale();
  const zone = useTimeZone();
  const now = useNow();
  const { chooseZone } = useAppearance();
  const [opened, setOpened] = useState(false);
  // Some tenths of a second of work: only for those who look.
  const zones = useMemo(() => new Map(opened ? listZones(locale).map((known) => [known.id, known]) : []), [opened, locale]);
  const data = useMemo(() => {
    const ids = zones.size > 0 ? [...zones.keys()] : zone ? [zone] : [];
    const own = { value: OWN, label: t('profile.zoneOwn', { zone: browserTimeZone() }) };
    return [own, ...ids.map((id) => ({ value: id, label: id.replaceAll('_', ' ') }))];
  }, [zones, zone, t]);
  return (
    <Select
      className={style.zone}
      id={fieldId}
      description={t('profile.zoneHint', { now: formatZoned(now, locale, zone) })}
      inputWrapperOrder={['input', 'description']}
      searchable
      onDropdownOpen={() => setOpened(true)}
      allowDeselect={false}
      limit={MOST_SHOWN}
      maxDropdownHeight={320}
      nothingFoundMessage={t('profile.zoneNone')}
      data={data}
      filter={byZone(zones)}
      renderOption={({ option }) => <ZoneOption option={option} zone={zones.get(option.value)} />}
      value={zone ?? OWN}
      onChange={(value) => chooseZone(value || null)}
    />
  );
}

/** The label of the chosen one is in the field when the list opens: that is no search. */
function byZone(zones: ReadonlyMap<string, Zone>): OptionsFilter {
  return ({ options, search, limit }) => {
    const items = options as ComboboxItem[];
    const words = search.trim();
    const asked = items.some(({ label }) => label === words) ? '' : words;
    const found = items.filter(({ value, label }) => {
      const zone = zones.get(value);
      return zone ? matchesZone(zone, asked) : label.toLowerCase().includes(asked.toLowerCase());
    });
    return found.slice(0, limit);
  };
}

function ZoneOption({ option, zone }: { option: ComboboxItem; zone: Zone | undefined }) {
  return (
    <span className={style.zoneOption}>
      <span>{option.label}</span>
      {zone && (
        <span className={ink.finer}>
          {zone.name} · {zone.offset}
        </span>
      )}
    </span>
  );
}
