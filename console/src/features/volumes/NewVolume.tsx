/** A new volume: its kind follows from what one wants to do with it. Load it lazily. */
import { NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { clusterKeys, listClusters } from '@/api/clusters';
import type { Cluster } from '@/api/clusters';
import { createVolume, volumeKeys } from '@/api/volumes';
import type { VolumeKind } from '@/api/volumes';
import type { MessageKey } from '@/app/i18n';
import { useT } from '@/app/i18n';
import { useMayEverywhere } from '@/app/session';
import { NameField } from '@/parts/NameField';
import { parseSize } from '@/parts/quantities';
import { useSave } from '@/parts/useSave';
import { FormDialog } from '@/ui/dialog/FormDialog';
import { attachment, BucketFields, NO_BUCKET } from './attach/BucketFields';
import { ExportFields, exportSource, NO_EXPORT } from './attach/ExportFields';
import { verdictOf } from './attach/Place';
import { Verdict } from './attach/Verdict';
import { CapacityField } from './CapacityField';
import { KIND_WORDS } from './words';
import layout from '@/ui/page/layout.module.css';
import ink from '@/ui/theme/ink.module.css';
import style from './Volumes.module.css';

const KINDS: Record<VolumeKind, { wish: MessageKey; text: MessageKey }> = {
  filesystem: { wish: 'volumes.wishFilesystem', text: 'volumes.filesystemText' },
  block: { wish: 'volumes.wishBlock', text: 'volumes.blockText' },
  bucket: { wish: 'volumes.wishBucket', text: 'volumes.bucketText' },
  nfs: { wish: 'volumes.wishNfs', text: 'volumes.bucketText' },
};

/** `recommended`: the kind that serves the job one comes from. */
export default function NewVolume({ recommended, onClose }: { recommended?: VolumeKind | undefined; onClose: () => void }) {
  const t = useT();
  const navigate = useNavigate();
  const [fields, setFields] = useState({
    name: '',
    kind: recommended ?? ('filesystem' as VolumeKind),
    capacity: '100GiB',
    cluster: '',
    claim: '',
    description: '',
  });
  const [bucket, setBucket] = useState(NO_BUCKET);
  const [nfs, setNfs] = useState(NO_EXPORT);
  const attached = fields.kind === 'bucket' || fields.kind === 'nfs';
  const { names: clusters, known, attaches } = useClusters(fields.kind, fields.cluster);
  const capacity = parseSize(fields.capacity);
  const away = fields.cluster !== '' && fields.cluster !== 'local';
  const claim = fields.claim.trim();
  const made = away && known.some((one) => one.name === fields.cluster && classFor(one, fields.kind) !== '');
  const save = useSave({
    save: () =>
      createVolume({
        name: fields.name.trim(),
        kind: fields.kind,
        ...(fields.kind === 'nfs' ? exportSource(nfs) : attached ? attachment(bucket) : { capacity: capacity ?? 0 }),
        description: fields.description.trim(),
        ...(!attached && away && { cluster: fields.cluster, ...(claim && { claim }) }),
      }),
    close: onClose,
    said: ({ name }) => t('volumes.made', { name }),
    invalidate: [volumeKeys.all],
    leads: ({ id }) => navigate({ to: '/volumes/$volume', params: { volume: id } }),
    fields: ['name', 'kind', 'capacity', 'cluster', 'claim', 'description', 'source', 'login'],
  });
  const change = (part: Partial<typeof fields>) => {
    setFields((old) => ({ ...old, ...part }));
    save.reset();
  };
  const { mistakes } = save;
  const findings = verdictOf(save.untold);
  const changeBucket = (part: Partial<typeof bucket>) => {
    setBucket((old) => ({ ...old, ...part }));
    save.reset();
  };
  const changeNfs = (part: Partial<typeof nfs>) => {
    setNfs((old) => ({ ...old, ...part }));
    save.reset();
  };
  return (
    <FormDialog
      title={t('volumes.new')}
      action={t(attached ? 'volumes.attach' : 'volumes.create')}
      busy={save.isPending}
      error={findings ? undefined : save.untold}
      disabled={
        attached
          ? !(fields.kind === 'nfs' ? nfs : bucket).address.trim()
          : capacity === null || capacity === 0 || (away && !made && claim === '')
      }
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <NameField rule={t('volumes.nameRule')} value={fields.name} error={mistakes.name} onChange={(name) => change({ name })} />
      <fieldset className={layout.bare}>
        <legend className={style.wish}>{t('volumes.wish')}</legend>
        <div className={style.kinds}>
          {(Object.keys(KINDS) as VolumeKind[]).map((kind) => (
            <label key={kind} className={style.kind}>
              <input type="radio" name="kind" value={kind} checked={fields.kind === kind} onChange={() => change({ kind })} />
              <span className={ink.strong}>
                {t(KINDS[kind].wish)} {kind === recommended && <span className={ink.quiet}>({t('volumes.recommended')})</span>}
              </span>
              <span className={ink.finer}>{t(KINDS[kind].text, { kind: t(KIND_WORDS[kind]) })}</span>
            </label>
          ))}
        </div>
        {mistakes.kind && <p className={ink.error}>{mistakes.kind}</p>}
      </fieldset>
      {fields.kind === 'nfs' ? (
        <ExportFields fields={nfs} error={mistakes.source} onChange={changeNfs} />
      ) : attached ? (
        <BucketFields fields={bucket} mistakes={mistakes} onChange={changeBucket} />
      ) : (
        <CapacityField
          kind={fields.kind}
          value={fields.capacity}
          error={mistakes.capacity}
          onChange={(text) => change({ capacity: text })}
        />
      )}
      {findings && <Verdict findings={findings} />}
      {!attached && clusters.length > 1 && (
        <NativeSelect
          label={t('volumes.cluster')}
          description={t('volumes.clusterText')}
          data={clusters}
          error={mistakes.cluster}
          value={fields.cluster || clusters[0]!}
          onChange={(event) => change({ cluster: event.currentTarget.value })}
        />
      )}
      {!attached && away && attaches && (
        <TextInput
          label={t('volumes.claim')}
          description={t(made ? 'volumes.claimOrNew' : 'volumes.claimText')}
          required={!made}
          error={mistakes.claim}
          value={fields.claim}
          onChange={(event) => change({ claim: event.currentTarget.value })}
        />
      )}
      <TextInput
        label={t('list.description')}
        maxLength={1000}
        error={mistakes.description}
        value={fields.description}
        onChange={(event) => change({ description: event.currentTarget.value })}
      />
    </FormDialog>
  );
}

const classFor = ({ block_class, filesystem_class }: Cluster, kind: VolumeKind) => (kind === 'block' ? block_class : filesystem_class);

/** The machine itself first, then the clusters that make volumes of this kind; those who govern clusters attach what is in others too. */
function useClusters(kind: VolumeKind, chosen: string) {
  const attaches = useMayEverywhere('cluster:write');
  const clusters = useQuery({ queryKey: clusterKeys.all, queryFn: ({ signal }) => listClusters(signal), retry: false });
  const known = clusters.data ?? [];
  const able = known.filter((one) => attaches || one.name === chosen || classFor(one, kind) !== '');
  const names = able.map(({ name }) => name).filter((name) => name !== 'local');
  return { names: names.length === 0 ? [] : ['local', ...names], known, attaches };
}
