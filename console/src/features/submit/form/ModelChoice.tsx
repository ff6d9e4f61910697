/** Which GPU models will do: any, or some of those that are there. */
import { useT } from '@/app/i18n';
import type { Node } from '@/api/nodes';
import type { Path } from '@/parts/jobs/job-file-edit';
import { formatCount } from '@/ui/words/format';
import { gpuModels, sameModel } from '../file/bounds';
import { modelsIn, valueAt } from '../file/reading';
import { fieldId, useForm, useMistake } from './context';
import ink from '@/ui/theme/ink.module.css';
import style from './Form.module.css';

export function ModelChoice({
  path,
  machines,
}: {
  path: Path;
  machines: Parameters<typeof gpuModels>[0] & readonly Pick<Node, 'labels'>[];
}) {
  const t = useT();
  const { file, apply } = useForm();
  const error = useMistake(path);
  const chosen = modelsIn(valueAt(file, path));
  const there = gpuModels(machines);
  const strange = chosen.filter((name) => !there.some((model) => sameModel(model.name, name)));
  const isChosen = (name: string) => chosen.some((each) => sameModel(each, name));
  const toggle = (name: string) => {
    const next = isChosen(name) ? chosen.filter((each) => !sameModel(each, name)) : [...chosen, name];
    apply([{ path, value: next.length > 0 ? next.join('|') : undefined }]);
  };
  return (
    <div className={style.field} id={fieldId(path)}>
      <span className={style.label} id={`${fieldId(path)}-label`}>
        {t('form.gpuModel')}
      </span>
      <div className={style.chips} role="group" aria-labelledby={`${fieldId(path)}-label`}>
        <button type="button" className={style.chip} aria-pressed={chosen.length === 0} onClick={() => apply([{ path }])}>
          {t('form.anyModel')}
        </button>
        {there.map(({ name, free, total }) => (
          <button key={name} type="button" className={style.chip} aria-pressed={isChosen(name)} onClick={() => toggle(name)}>
            {name} <span className={ink.finer}>{t('form.freeOf', { free: formatCount(free), total })}</span>
          </button>
        ))}
        {strange.map((name) => (
          <button key={name} type="button" className={style.chip} aria-pressed="true" data-wrong onClick={() => toggle(name)}>
            {name}
          </button>
        ))}
      </div>
      {chosen.length > 1 && <p className={style.help}>{t('form.anyOf')}</p>}
      {error && <p className={ink.error}>{error}</p>}
    </div>
  );
}
