/** The list of the command palette: grouped, one option marked. */
import { useEffect, useRef } from 'react';
import type { JobRow } from '@/api/jobs';
import { Icon } from '@/ui/icons';
import { Keys } from '@/ui/words/Keys';
import { JobStatus } from '@/ui/words/Status';
import { useT } from '../i18n';
import type { Group, Item } from './items';
import style from './Palette.module.css';

interface Props {
  listId: string;
  groups: Group[];
  active: Item | undefined;
  optionId: (item: Item) => string;
  jobOf: (id: string) => JobRow | undefined;
  onPoint: (item: Item) => void;
  onRun: (item: Item) => void;
}

export function Options({ listId, groups, active, optionId, jobOf, onPoint, onRun }: Props) {
  const t = useT();
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [active?.id]);
  return (
    <div ref={list} id={listId} role="listbox" aria-label={t('palette.results')} className={style.list}>
      {groups.map((group) => (
        <div key={group.id} role="group" aria-labelledby={`${listId}-${group.id}`} className={style.group}>
          <div id={`${listId}-${group.id}`} className={style.heading} role="presentation">
            {group.title}
          </div>
          {group.items.map((item) => (
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the field above keeps the focus and the keys
            <div
              key={item.id}
              id={optionId(item)}
              role="option"
              aria-selected={item === active}
              className={style.option}
              onMouseMove={() => item !== active && onPoint(item)}
              onClick={() => onRun(item)}
            >
              <Option item={item} job={jobOf(item.id)} />
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}

function Option({ item, job }: { item: Item; job: JobRow | undefined }) {
  return (
    <>
      <span className={style.icon}>
        <Icon name={item.icon} />
      </span>
      <span className={style.label}>{item.label}</span>
      {item.hint && <span className={style.hint}>{item.hint}</span>}
      {job && <JobStatus state={job.state} reason={job.reason?.code} />}
      {item.keys && (
        <span aria-hidden="true">
          <Keys keys={item.keys} />
        </span>
      )}
    </>
  );
}
