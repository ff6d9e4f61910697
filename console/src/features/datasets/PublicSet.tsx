/** A public set becomes a dataset: the original, or a stand-in that the server makes. Load it lazily. */
import { Checkbox, NativeSelect, NumberInput, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { datasetKeys, importRecipe, listRecipes } from '@/api/datasets';
import type { DatasetRecipe } from '@/api/datasets';
import type { MessageKey } from '@/app/i18n';
import { useSentence, useT } from '@/app/i18n';
import { useSave } from '@/parts/useSave';
import { FormDialog } from '@/ui/dialog/FormDialog';
import { Facts } from '@/ui/page/Panel';
import { formatBytes } from '@/ui/words/format';
import ink from '@/ui/theme/ink.module.css';
import lists from '@/ui/table/lists.module.css';

const TASKS: Record<DatasetRecipe['task'], MessageKey> = {
  classification: 'datasets.taskClassification',
  detection: 'datasets.taskDetection',
};
const NONE: DatasetRecipe[] = [];

export default function PublicSet({ onClose }: { onClose: () => void }) {
  const t = useT();
  const navigate = useNavigate();
  const { data = NONE } = useQuery({ queryKey: datasetKeys.recipes, queryFn: ({ signal }) => listRecipes(signal) });
  const [fields, setFields] = useState({
    recipe: '',
    name: '',
    into: '',
    source: '',
    standIn: false,
    size: '' as string | number,
    unchecked: false,
  });
  const recipe = data.find(({ id }) => id === fields.recipe) ?? data[0];
  const save = useSave({
    save: () =>
      importRecipe(recipe!.id, {
        name: fields.name.trim(),
        into: fields.into.trim(),
        source: fields.standIn ? '' : fields.source.trim(),
        stand_in: fields.standIn,
        size: fields.standIn && fields.size !== '' ? Number(fields.size) : null,
        checked: !fields.unchecked,
      }),
    close: onClose,
    invalidate: [datasetKeys.all],
    leads: ({ dataset }) => navigate({ to: '/datasets/$dataset', params: { dataset }, search: { tab: 'versions' } }),
    fields: ['name', 'into', 'source', 'size'],
  });
  const change = (part: Partial<typeof fields>) => {
    setFields((old) => ({ ...old, ...part }));
    save.reset();
  };
  const { mistakes } = save;
  const usual = recipe ? `${recipe.id}${fields.standIn ? '-stand-in' : ''}` : '';
  const called = fields.name.trim() || usual;
  return (
    <FormDialog
      title={t('datasets.publicTitle')}
      action={t('datasets.import')}
      busy={save.isPending}
      error={save.untold}
      disabled={!recipe || (recipe.own && !fields.standIn && fields.source.trim() === '')}
      size={560}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <p className={ink.quiet}>{t('datasets.publicText')}</p>
      <NativeSelect
        label={t('datasets.recipe')}
        data={data.map(({ id, title }) => ({ value: id, label: title }))}
        value={recipe?.id ?? ''}
        onChange={(event) => change({ recipe: event.currentTarget.value, size: '' })}
      />
      {recipe && <About recipe={recipe} />}
      <Checkbox
        label={t('datasets.standIn')}
        description={t('datasets.standInHelp')}
        checked={fields.standIn}
        onChange={(event) => change({ standIn: event.currentTarget.checked })}
      />
      {recipe && fields.standIn && (
        <NumberInput
          label={t('datasets.standInCount')}
          description={t('datasets.standInBounds', { least: recipe.stand_in.least, most: recipe.stand_in.most })}
          placeholder={String(recipe.stand_in.usual)}
          allowDecimal={false}
          hideControls
          error={mistakes.size}
          value={fields.size}
          onChange={(size) => change({ size })}
        />
      )}
      {recipe && !fields.standIn && (
        <>
          <TextInput
            label={t('datasets.source')}
            description={t(recipe.own ? 'datasets.sourceOwn' : 'datasets.sourceMirror')}
            required={recipe.own}
            autoComplete="off"
            spellCheck={false}
            error={mistakes.source}
            value={fields.source}
            onChange={(event) => change({ source: event.currentTarget.value })}
          />
          {fields.source.trim() !== '' && (
            <Checkbox
              label={t('datasets.unchecked')}
              checked={fields.unchecked}
              onChange={(event) => change({ unchecked: event.currentTarget.checked })}
            />
          )}
        </>
      )}
      <div className={lists.pair}>
        <TextInput
          label={t('datasets.recipeName')}
          description={t('datasets.nameRule')}
          placeholder={usual}
          maxLength={63}
          autoComplete="off"
          spellCheck={false}
          error={mistakes.name}
          value={fields.name}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
        <TextInput
          label={t('datasets.recipeInto')}
          description={t('datasets.recipeIntoHelp', { usual: `personal:/datasets/${called}` })}
          autoComplete="off"
          spellCheck={false}
          error={mistakes.into}
          value={fields.into}
          onChange={(event) => change({ into: event.currentTarget.value })}
        />
      </div>
    </FormDialog>
  );
}

function About({ recipe }: { recipe: DatasetRecipe }) {
  const t = useT();
  const say = useSentence();
  const hosts = [...new Set(recipe.archives.filter(({ url }) => url !== '').map(({ url }) => new URL(url).host))];
  return (
    <>
      <p>{say(recipe.about)}</p>
      <Facts
        beside
        items={[
          [t('datasets.task'), t(TASKS[recipe.task])],
          [t('datasets.licence'), recipe.licence],
          [t('datasets.size'), t('datasets.recipeSize', { size: formatBytes(recipe.size), unpacked: formatBytes(recipe.unpacked) })],
          [t('datasets.recipeFrom'), recipe.own ? t('datasets.recipeOwn') : hosts.join(', ')],
          ...(recipe.own ? [[t('datasets.recipeNeeds'), say(recipe.needs)] as [string, string]] : []),
          [
            t('datasets.home'),
            <a key="home" href={recipe.home} target="_blank" rel="noreferrer">
              {recipe.home}
            </a>,
          ],
        ]}
      />
    </>
  );
}
