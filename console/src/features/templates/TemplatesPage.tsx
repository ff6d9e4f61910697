/** The templates: job files to start from, one's own and those shared with one's projects. */
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { lazy, useMemo, useState } from 'react';
import { deleteTemplate, listTemplates, templateKeys } from '@/api/templates';
import type { TemplateRow } from '@/api/templates';
import type { Translate } from '@/app/i18n';
import { useT } from '@/app/i18n';
import { useMaySubmit, useMe } from '@/app/session';
import { useList } from '@/parts/useList';
import { Icon } from '@/ui/icons';
import { ListPage } from '@/ui/page/ListPage';
import { Panel } from '@/ui/page/Panel';
import { EmptyState } from '@/ui/page/States';
import { actionsColumn } from '@/ui/table/actions';
import { DataTable } from '@/ui/table/DataTable';
import type { Column } from '@/ui/table/DataTable';
import { Ago } from '@/ui/words/Time';
import ink from '@/ui/theme/ink.module.css';

const TemplateForm = lazy(() => import('@/parts/jobs/TemplateForm'));
const RemoveRule = lazy(() => import('@/parts/RemoveRule'));

type Open = { what: 'edit' | 'remove'; template: TemplateRow };

export function TemplatesPage() {
  const t = useT();
  const me = useMe();
  const maySubmit = useMaySubmit();
  const [open, setOpen] = useState<Open | null>(null);
  const templates = useList(templateKeys.list, listTemplates);
  const columns = useMemo(() => columnsOf(t, me.name, setOpen), [t, me.name]);
  const write = maySubmit && (
    <Button leftSection={<Icon name="plus" />} renderRoot={(props) => <Link to="/jobs/new" {...props} />}>
      {t('templates.write')}
    </Button>
  );
  const close = () => setOpen(null);
  return (
    <ListPage
      title={t('nav.templates')}
      above={<p className={ink.quiet}>{t('templates.text')}</p>}
      list={templates}
      bones={6}
      none={
        <EmptyState icon="book" title={t('templates.none')} action={write}>
          {t('templates.noneText')}
        </EmptyState>
      }
      dialogs={
        open?.what === 'edit' ? (
          <TemplateForm template={open.template} onClose={close} />
        ) : (
          open && (
            <RemoveRule
              name={open.template.name}
              text={t(open.template.project === null ? 'templates.removeText' : 'templates.removeSharedText', {
                project: open.template.project ?? '',
              })}
              remove={() => deleteTemplate(open.template.id)}
              stale={templateKeys.all}
              onClose={close}
            />
          )
        )
      }
    >
      {(rows) => (
        <Panel flush>
          <DataTable label={t('nav.templates')} columns={columns} rows={rows} rowKey={({ id }) => id} />
        </Panel>
      )}
    </ListPage>
  );
}

function columnsOf(t: Translate, me: string, onOpen: (open: Open) => void): Column<TemplateRow>[] {
  return [
    {
      id: 'name',
      header: t('jobs.name'),
      width: '22%',
      cell: ({ id, name }) => (
        <Link to="/jobs/new" search={{ template: id }} className={ink.strong} title={t('templates.use', { name })} data-row-link={id}>
          {name}
        </Link>
      ),
    },
    { id: 'kind', header: t('form.kind'), width: '112px', hideBelow: 'phone', cell: ({ kind }) => t(`kind.${kind}`) },
    {
      id: 'owner',
      header: t('jobs.owner'),
      width: '132px',
      hideBelow: 'phone',
      cell: ({ owner }) => (owner === me ? t('templates.mine') : owner),
    },
    {
      id: 'project',
      header: t('templates.shared'),
      width: '148px',
      cell: ({ project }) => project ?? <span className={ink.quiet}>{t('templates.private')}</span>,
    },
    { id: 'changed', header: t('templates.changed'), width: '132px', hideBelow: 'tablet', cell: ({ changed_at: at }) => <Ago at={at} /> },
    {
      id: 'description',
      header: t('list.description'),
      hideBelow: 'tablet',
      cell: ({ description }) => (
        <span className={ink.quiet} title={description}>
          {description}
        </span>
      ),
    },
    actionsColumn(t, {
      name: ({ name }) => name,
      edit: (template) => onOpen({ what: 'edit', template }),
      remove: (template) => onOpen({ what: 'remove', template }),
      editable: (template) => template.can_edit,
      removable: (template) => template.can_edit,
    }),
  ];
}
