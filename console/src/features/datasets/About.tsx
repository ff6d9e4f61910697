/** What a dataset says of itself, and how it is used in jobs and programs. */
import '@/ui/theme/kit-forms.css';
import { Button, Textarea } from '@mantine/core';
import type { FormEvent } from 'react';
import { lazy, Suspense, useState } from 'react';
import { datasetKeys, editDataset } from '@/api/datasets';
import type { Dataset } from '@/api/datasets';
import { useT } from '@/app/i18n';
import { useMe } from '@/app/session';
import { versionRef } from '@/parts/datasets/reference';
import { useSave } from '@/parts/useSave';
import { Icon } from '@/ui/icons';
import { Notice, Panel } from '@/ui/page/Panel';
import { EmptyState, errorText, Skeleton } from '@/ui/page/States';
import { Copy } from '@/ui/words/clipboard';
import layout from '@/ui/page/layout.module.css';
import ink from '@/ui/theme/ink.module.css';
import style from './Datasets.module.css';

const Markdown = lazy(() => import('@/ui/markdown/Markdown'));
const LONGEST = 100_000;

export default function About({ dataset }: { dataset: Dataset }) {
  const [editing, setEditing] = useState(false);
  return (
    <div className={style.about}>
      {editing ? (
        <CardForm dataset={dataset} onDone={() => setEditing(false)} />
      ) : (
        <Card dataset={dataset} onEdit={dataset.can_edit && dataset.trashed_at === null ? () => setEditing(true) : undefined} />
      )}
      <HowTo dataset={dataset} />
    </div>
  );
}

function Card({ dataset: { card }, onEdit }: { dataset: Dataset; onEdit: (() => void) | undefined }) {
  const t = useT();
  const button = onEdit && (
    <Button size="compact-xs" variant="default" leftSection={<Icon name="edit" size={12} />} onClick={onEdit}>
      {t(card ? 'datasets.editCard' : 'datasets.writeCard')}
    </Button>
  );
  return (
    <Panel title={t('datasets.card')} aside={card ? button : undefined}>
      {card ? (
        <Suspense fallback={<Skeleton />}>
          <Markdown text={card} />
        </Suspense>
      ) : (
        <EmptyState small icon="book" title={t('datasets.noCard')} action={button}>
          {t('datasets.noCardText')}
        </EmptyState>
      )}
    </Panel>
  );
}

function CardForm({ dataset: { id, name, card }, onDone }: { dataset: Dataset; onDone: () => void }) {
  const t = useT();
  const [text, setText] = useState(card);
  const save = useSave({
    save: () => editDataset(id, { card: text }),
    close: onDone,
    said: t('list.saved', { name }),
    invalidate: [datasetKeys.all],
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <Panel title={t('datasets.card')}>
      <form className={layout.form} onSubmit={submit}>
        <Textarea
          data-autofocus
          autosize={false}
          rows={18}
          maxLength={LONGEST}
          label={t('datasets.cardText')}
          description={t('datasets.cardHelp')}
          classNames={{ input: ink.code }}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        {save.error ? <Notice tone="red" icon="warning" title={errorText(save.error, t)} role="alert" /> : null}
        <div className={layout.buttons}>
          <Button variant="default" onClick={onDone}>
            {t('action.cancel')}
          </Button>
          <Button type="submit" loading={save.isPending} disabled={text === card}>
            {t('action.save')}
          </Button>
        </div>
      </form>
      {text.trim() !== '' && (
        <section className={style.draft} aria-label={t('datasets.cardPreview')}>
          <h3 className={ink.heading}>{t('datasets.cardPreview')}</h3>
          <Suspense fallback={null}>
            <Markdown text={text} below={3} />
          </Suspense>
        </section>
      )}
    </Panel>
  );
}

/** Lines to copy, with the version written out: what runs tomorrow reads what ran today. */
function HowTo({ dataset }: { dataset: Dataset }) {
  const t = useT();
  const me = useMe();
  const ref = versionRef(dataset, dataset.latest ?? 'latest', me.name);
  const lines = [
    { label: t('datasets.inJob'), text: `mounts:\n  - dataset: ${ref}\n    path: /data` },
    { label: t('datasets.inPython'), text: `import danlu\n\ndata = danlu.dataset("${ref}")` },
    { label: t('datasets.inShell'), text: `danlu dataset show ${ref}` },
  ];
  return (
    <Panel title={t('datasets.howTo')}>
      <dl className={style.howTo}>
        {lines.map(({ label, text }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              <pre>{text}</pre>
              <Copy text={text} label={t('datasets.copyLines', { what: label })} size={24} />
            </dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}
