/** Amounts for each class of job and each resource, typed into a grid. */
import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { listNodes, nodeKeys } from '@/api/nodes';
import { useT } from '@/app/i18n';
import type { Mistakes } from '@/parts/mistakes';
import { cellOf } from './grid';
import type { Cells } from './grid';
import { className, QUOTA_CLASSES, QUOTA_RESOURCES, resourceName } from './words';
import style from './Quotas.module.css';

interface Props {
  label: string;
  cells: Cells;
  /** By place: `amounts.single.gpus`. */
  mistakes: Mistakes;
  /** GPU models with a column from the beginning. */
  models: readonly string[];
  /** What holds now, shown where nothing is typed. */
  now?: Cells | undefined;
  onChange: (cells: Cells) => void;
}

export function QuotaGrid({ label, cells, mistakes, models, now, onChange }: Props) {
  const t = useT();
  const id = useId();
  const [added, setAdded] = useState<readonly string[]>([]);
  const nodes = useQuery({ queryKey: nodeKeys.all, queryFn: ({ signal }) => listNodes(signal) });
  const shown = [...new Set([...models, ...added])];
  const others = [...new Set(nodes.data?.flatMap(({ gpu_model: model }) => model ?? []))]
    .filter((model) => !shown.includes(model))
    .toSorted();
  const resources = [...QUOTA_RESOURCES, ...shown];
  return (
    <>
      <div className={style.gridScroll}>
        <table className={style.grid} aria-label={label}>
          <thead>
            <tr>
              <th scope="col">
                <span className="visually-hidden">{t('quota.class')}</span>
              </th>
              {resources.map((resource) => (
                <th key={resource} scope="col">
                  {resourceName(resource, t)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {QUOTA_CLASSES.map((jobClass) => (
              <tr key={jobClass}>
                <th scope="row">{className(jobClass, t)}</th>
                {resources.map((resource) => {
                  const cell = cellOf(jobClass, resource);
                  const wrong = mistakes[`amounts.${cell}`];
                  return (
                    <td key={resource}>
                      <input
                        className={style.cell}
                        aria-label={`${className(jobClass, t)}: ${resourceName(resource, t)}`}
                        aria-invalid={wrong ? true : undefined}
                        aria-describedby={wrong && `${id}-${cell}`}
                        autoComplete="off"
                        placeholder={now?.[cell]}
                        value={cells[cell] ?? ''}
                        onChange={(event) => onChange({ ...cells, [cell]: event.currentTarget.value })}
                      />
                      {wrong && (
                        <p id={`${id}-${cell}`} className={style.wrong}>
                          {wrong}
                        </p>
                      )}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {others.length > 0 && (
        <NativeSelect
          aria-label={t('quota.addModel')}
          data={[{ value: '', label: t('quota.addModel') }, ...others]}
          value=""
          onChange={(event) => setAdded([...added, event.currentTarget.value])}
        />
      )}
    </>
  );
}
