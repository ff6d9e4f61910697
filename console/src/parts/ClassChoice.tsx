/** For which classes of job: some of them, or all where none is marked. */
import { Checkbox } from '@mantine/core';
import type { JobClass } from '@/api/rules/flavors';
import { listed, useT } from '@/app/i18n';
import { className } from '@/parts/quotas/words';
import ink from '@/ui/theme/ink.module.css';
import style from '@/ui/table/lists.module.css';

export const JOB_CLASSES = ['workspace', 'single', 'distributed', 'service'] as const satisfies readonly JobClass[];

interface Props {
  label: string;
  chosen: readonly JobClass[];
  onChange: (classes: JobClass[]) => void;
}

export function ClassChoice({ label, chosen, onChange }: Props) {
  const t = useT();
  return (
    <fieldset className={style.checks}>
      <legend>{label}</legend>
      {JOB_CLASSES.map((one) => (
        <Checkbox
          key={one}
          label={className(one, t)}
          checked={chosen.includes(one)}
          onChange={(event) => onChange(JOB_CLASSES.filter((each) => (each === one ? event.currentTarget.checked : chosen.includes(each))))}
        />
      ))}
      <span className={ink.fine}>{t('class.noneIsAll')}</span>
    </fieldset>
  );
}

/** "Workspace, single node", or that it is for all. */
export function Classes({ classes }: { classes: readonly JobClass[] }) {
  const t = useT();
  return classes.length === 0 ? (
    <span className={ink.quiet}>{t('class.all')}</span>
  ) : (
    <>{listed(classes.map((one) => className(one, t)))}</>
  );
}
