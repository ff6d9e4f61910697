/** A maintenance window: planned for nodes or a pool, or changed. */
import { Button, InputBase, NativeSelect, SegmentedControl, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { nodeKeys } from '@/api/nodes';
import { createMaintenance, editMaintenance, maintenanceKeys, previewMaintenance } from '@/api/rules/maintenance';
import type { Maintenance, MaintenanceCreate } from '@/api/rules/maintenance';
import { listPools, poolKeys } from '@/api/rules/pools';
import { useT } from '@/app/i18n';
import { browserTimeZone, useTimeZone } from '@/app/time-zone';
import { NameField } from '@/parts/NameField';
import { mistakesIn } from '@/parts/mistakes';
import { useSave } from '@/parts/useSave';
import { fromWall, toWall } from '@/parts/wall-clock';
import { FormDialog } from '@/ui/dialog/FormDialog';
import { GivingWay } from './AffectedJobs';
import ink from '@/ui/theme/ink.module.css';
import style from '@/ui/table/lists.module.css';

const HOUR = 3_600_000;
const FIELDS = ['name', 'start', 'end', 'nodes', 'pool', 'description'] as const;

interface Draft {
  name: string;
  start: string;
  end: string;
  where: 'nodes' | 'pool';
  nodes: string;
  pool: string;
  description: string;
}

interface Props {
  /** The one that is changed. */
  window?: Maintenance | undefined;
  /** Those a new one is for. */
  nodes?: string[] | undefined;
  onClose: () => void;
}

export default function MaintenanceForm({ window, nodes, onClose }: Props) {
  const t = useT();
  const zone = useTimeZone();
  const pools = useQuery({ queryKey: poolKeys.all, queryFn: ({ signal }) => listPools(signal) });
  const [draft, setDraft] = useState<Draft>(() => (window ? draftOf(window) : fresh(nodes ?? [])));
  const sent = toSend({ ...draft, pool: draft.pool || (pools.data?.[0]?.name ?? '') });
  const preview = useMutation({
    mutationFn: () => previewMaintenance({ start: sent.start, end: sent.end, nodes: sent.nodes ?? [], pool: sent.pool }),
  });
  const save = useSave({
    save: () => {
      const { name, ...rest } = sent;
      return window ? editMaintenance(window.name, rest) : createMaintenance({ name, ...rest });
    },
    close: onClose,
    said: ({ name }) => t('list.saved', { name }),
    invalidate: [maintenanceKeys.all, nodeKeys.all],
  });
  const change = (part: Partial<Draft>) => {
    setDraft((old) => ({ ...old, ...part }));
    save.reset();
    preview.reset();
  };
  const error = save.error ?? preview.error;
  const { mistakes, untold } = mistakesIn(error, FIELDS);
  const look = (
    <Button variant="default" loading={preview.isPending} onClick={() => preview.mutate()}>
      {t('maintenance.preview')}
    </Button>
  );
  return (
    <FormDialog
      title={window ? t('list.edit', { name: window.name }) : t('maintenance.plan')}
      action={t(window ? 'action.save' : 'maintenance.plan')}
      busy={save.isPending}
      error={untold}
      aside={look}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <p className={ink.fine}>{t('maintenance.text')}</p>
      {!window && <NameField value={draft.name} error={mistakes.name} onChange={(name) => change({ name })} />}
      <div className={style.pair}>
        <TextInput
          required
          withAsterisk={false}
          type="datetime-local"
          label={t('maintenance.start')}
          error={mistakes.start}
          value={draft.start}
          onChange={(event) => change({ start: event.currentTarget.value })}
        />
        <TextInput
          required
          withAsterisk={false}
          type="datetime-local"
          label={t('maintenance.end')}
          error={mistakes.end}
          value={draft.end}
          onChange={(event) => change({ end: event.currentTarget.value })}
        />
      </div>
      <p className={ink.fine}>{t('maintenance.zone', { zone: zone ?? browserTimeZone() })}</p>
      <SegmentedControl
        aria-label={t('maintenance.where')}
        data={[
          { value: 'nodes', label: t('maintenance.someNodes') },
          { value: 'pool', label: t('maintenance.wholePool') },
        ]}
        value={draft.where}
        onChange={(where) => change({ where: where as Draft['where'] })}
      />
      {draft.where === 'nodes' ? (
        <InputBase
          component="textarea"
          multiline
          size="xs"
          rows={3}
          label={t('maintenance.nodes')}
          description={t('maintenance.nodesHint')}
          error={mistakes.nodes}
          spellCheck={false}
          value={draft.nodes}
          onChange={(event) => change({ nodes: event.currentTarget.value })}
        />
      ) : (
        <NativeSelect
          label={t('maintenance.pool')}
          data={pools.data?.map(({ name }) => name) ?? []}
          error={mistakes.pool}
          value={draft.pool || undefined}
          onChange={(event) => change({ pool: event.currentTarget.value })}
        />
      )}
      <TextInput
        label={t('maintenance.why')}
        description={t('maintenance.whyHint')}
        maxLength={1000}
        error={mistakes.description}
        value={draft.description}
        onChange={(event) => change({ description: event.currentTarget.value })}
      />
      {preview.data && <GivingWay jobs={preview.data.jobs} />}
    </FormDialog>
  );
}

/** The next full hour, for two hours. */
function fresh(nodes: string[]): Draft {
  const start = Math.ceil(Date.now() / HOUR) * HOUR;
  return {
    name: '',
    start: toWall(start),
    end: toWall(start + 2 * HOUR),
    where: 'nodes',
    nodes: nodes.join(', '),
    pool: '',
    description: '',
  };
}

function draftOf({ name, start, end, nodes, pool, description }: Maintenance): Draft {
  return {
    name,
    start: toWall(start),
    end: toWall(end),
    where: pool ? 'pool' : 'nodes',
    nodes: nodes.join(', '),
    pool: pool ?? '',
    description,
  };
}

function toSend({ name, start, end, where, nodes, pool, description }: Draft): MaintenanceCreate {
  const whole = { name: name.trim(), start: fromWall(start), end: fromWall(end), description: description.trim() };
  return where === 'pool' ? { ...whole, nodes: [], pool } : { ...whole, nodes: nodes.split(/[\s,;]+/).filter(Boolean), pool: null };
}
