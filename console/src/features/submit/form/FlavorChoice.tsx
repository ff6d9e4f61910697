/** The flavors that some node could hold, with what to expect of each now. */
import { useQuery } from '@tanstack/react-query';
import { flavorKeys, listOffers } from '@/api/rules/flavors';
import type { Flavor, Offer } from '@/api/rules/flavors';
import { useSentence, useT } from '@/app/i18n';
import type { Translate } from '@/app/i18n';
import type { Path } from '@/parts/jobs/job-file-edit';
import { parseSize } from '@/parts/quantities';
import { formatBytes, formatCount } from '@/ui/words/format';
import { Icon } from '@/ui/icons';
import { classOf, taskCount, textAt } from '../file/reading';
import { openFlavors } from '../useChoices';
import { AdviceAt } from './AdviceAt';
import { fieldId, useForm, useMistake } from './context';
import layout from '@/ui/page/layout.module.css';
import ink from '@/ui/theme/ink.module.css';
import style from './FlavorChoice.module.css';
import form from './Form.module.css';

/** The queue moves, and with it what is to be expected. */
const AGAIN_MS = 20_000;

type Row = Pick<Offer, 'flavor'> & Partial<Offer>;

/** `withGpus`: also those that have GPUs. */
export function FlavorChoice({ path, withGpus = true }: { path: Path; withGpus?: boolean }) {
  const t = useT();
  const { file, choices, apply } = useForm();
  const error = useMistake(path);
  const chosen = textAt(file, path);
  const query = { class: classOf(file), project: textAt(file, ['project']) || 'public', count: path.length === 1 ? taskCount(file) : 1 };
  const offers = useQuery({
    queryKey: flavorKeys.offers(query),
    queryFn: ({ signal }) => listOffers(query, signal),
    refetchInterval: AGAIN_MS,
  });
  // What to expect may be unknown; the flavors themselves are not.
  const all: Row[] = offers.data ?? openFlavors(file, choices.flavors).map((flavor) => ({ flavor }));
  const rows = all.filter(({ flavor }) => withGpus || flavor.resources.gpus === 0 || flavor.name === chosen);
  const missing = chosen !== '' && offers.data && !rows.some(({ flavor }) => flavor.name === chosen);
  const group = fieldId(path);
  return (
    <fieldset id={group} className={layout.bare}>
      <legend className={form.label}>{t('form.flavor')}</legend>
      <div className={style.list}>
        {rows.map((row) => (
          <label key={row.flavor.name} className={style.row} data-chosen={row.flavor.name === chosen || undefined}>
            <input
              type="radio"
              name={group}
              value={row.flavor.name}
              checked={row.flavor.name === chosen}
              onChange={() => apply([{ path, value: row.flavor.name }])}
            />
            <span className={style.what}>
              <span className={style.name}>
                {row.flavor.name}
                {row.recommended && (
                  <span className={style.mark}>
                    <Icon name="star" size={12} /> {t('form.recommended')}
                  </span>
                )}
              </span>
              <span className={ink.finer}>{[inShort(row.flavor, t), row.flavor.description].filter(Boolean).join(' — ')}</span>
            </span>
            <Expected row={row} />
          </label>
        ))}
        {rows.length === 0 && <p className={form.help}>{t('form.noFlavorFits')}</p>}
      </div>
      {missing && <p className={ink.error}>{t('form.flavorFitsNowhere', { name: chosen })}</p>}
      {error && <p className={ink.error}>{error}</p>}
      <AdviceAt path={path} />
    </fieldset>
  );
}

function Expected({ row: { state, behind, text } }: { row: Row }) {
  const t = useT();
  const say = useSentence();
  if (state === undefined) return null;
  const words =
    state === 'available'
      ? t('form.availableNow')
      : behind
        ? t('form.waitsBehind', { count: behind })
        : t(state === 'waits' ? 'form.wouldWait' : 'form.neverFits');
  return (
    <span className={style.state} data-state={state} title={text ? say(text) : undefined}>
      <Icon name={state === 'available' ? 'done' : state === 'waits' ? 'queued' : 'failed'} size={12} /> {words}
    </span>
  );
}

/** "1 × A100 · 8 CPU · 64 GiB" */
function inShort({ resources: { gpus, gpu, cpus, memory } }: Flavor, t: Translate): string {
  const cards = gpus > 0 ? [`${formatCount(gpus)} × ${gpu ?? t('size.gpu')}`] : [];
  return [...cards, t('size.cpus', { count: formatCount(cpus) }), formatBytes(parseSize(memory) ?? 0)].join(' · ');
}
