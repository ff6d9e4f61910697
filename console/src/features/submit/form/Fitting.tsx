/** What the earlier runs of the job used, and the flavor that would do; one click takes it. */
import { Button } from '@mantine/core';
import { useT } from '@/app/i18n';
import { useFit } from '@/parts/jobs/useFit';
import { textAt } from '../file/reading';
import { useForm } from './context';
import style from './Form.module.css';

export function Fitting() {
  const t = useT();
  const { file, earlier, apply } = useForm();
  const fit = useFit(earlier);
  if (!fit) return null;
  const { used, flavor } = fit;
  const chosen = flavor?.name === textAt(file, ['flavor']);
  return (
    <p className={style.proposal}>
      <span>{flavor ? t(chosen ? 'fit.chosen' : 'fit.enough', { used, name: flavor.name }) : used}</span>
      {flavor && !chosen && (
        <Button
          variant="default"
          size="compact-xs"
          onClick={() =>
            apply([
              { path: ['flavor'], value: flavor.name },
              { path: ['resources'], value: undefined },
            ])
          }
        >
          {t('fit.take', { name: flavor.name })}
        </Button>
      )}
    </p>
  );
}
