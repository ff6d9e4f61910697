/** Asks before flavors go, and says which are in use: those jobs keep their size. */
import { useQuery } from '@tanstack/react-query';
import { deleteFlavors } from '@/api/rules/flavors';
import { ruleKeys } from '@/api/rules/keys';
import { useT } from '@/app/i18n';
import { useSave } from '@/parts/useSave';
import { FormDialog } from '@/ui/dialog/FormDialog';
import { ErrorState, Skeleton } from '@/ui/page/States';
import ink from '@/ui/theme/ink.module.css';
import style from '@/ui/table/lists.module.css';

export default function RemoveFlavors({ names, onClose }: { names: string[]; onClose: () => void }) {
  const t = useT();
  const preview = useQuery({ queryKey: ['flavor-removal', names], queryFn: () => deleteFlavors(names, true), gcTime: 0 });
  const remove = useSave({
    save: () => deleteFlavors(names, false),
    close: onClose,
    said: t('flavors.removed', { count: names.length }),
    invalidate: [ruleKeys.all],
  });
  return (
    <FormDialog
      danger
      title={t('flavors.removeTitle', { count: names.length })}
      action={t('action.remove')}
      busy={remove.isPending}
      error={remove.error}
      disabled={!preview.data}
      onSubmit={() => remove.mutate()}
      onClose={onClose}
    >
      <p>{t('flavors.removeText')}</p>
      {preview.isPending && <Skeleton rows={3} />}
      {preview.isError && <ErrorState small error={preview.error} retry={() => void preview.refetch()} />}
      {preview.data && (
        <ul className={style.listed} aria-label={t('flavors.which')}>
          {preview.data.map(({ name, used_by: used }) => (
            <li key={name}>
              <span className={`${style.name} ${style.grow}`}>{name}</span>
              <span className={ink.quiet}>{t('flavors.usedBy', { count: used })}</span>
            </li>
          ))}
        </ul>
      )}
    </FormDialog>
  );
}
