/** How Danlu uses a cluster: where tasks run, with which images, how they find each other. */
import { Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { useT } from '@/app/i18n';
import type { MessageKey } from '@/app/i18n';
import { PULL_POLICIES } from './draft';
import type { Draft } from './draft';
import layout from '@/ui/page/layout.module.css';
import style from './Clusters.module.css';

interface Props {
  draft: Draft;
  mistakes: Partial<Record<string, string>>;
  onChange: (change: Partial<Draft>) => void;
}

/** What is told of these must be seen. */
const FOLDED = ['description', 'pull_policy', 'pull_secrets', 'tolerations', 'rdma_resource', 'admission_time', 'lost_time'];
const STORAGE = ['block_class', 'filesystem_class', 'personal_claim', 'personal_size'];

type TextKey =
  | 'namespace'
  | 'image'
  | 'helper'
  | 'pull_secrets'
  | 'tolerations'
  | 'rdma_resource'
  | 'admission_time'
  | 'lost_time'
  | 'description'
  | 'block_class'
  | 'filesystem_class'
  | 'personal_claim'
  | 'personal_size';

export function SettingsFields({ draft, mistakes, onChange }: Props) {
  const t = useT();
  const text = (key: TextKey, label: MessageKey, hint?: MessageKey) => (
    <TextInput
      label={t(label)}
      description={hint && t(hint)}
      error={mistakes[key]}
      autoComplete="off"
      spellCheck={false}
      value={draft[key]}
      onChange={(event) => onChange({ [key]: event.currentTarget.value })}
    />
  );
  return (
    <>
      {text('namespace', 'clusters.namespace', 'clusters.namespaceHint')}
      {text('image', 'clusters.image', 'clusters.imageHint')}
      {text('helper', 'clusters.helper', 'clusters.helperHint')}
      <Checkbox
        label={t('clusters.dns')}
        description={t('clusters.dnsHint')}
        checked={draft.dns}
        onChange={(event) => onChange({ dns: event.currentTarget.checked })}
      />
      <details className={style.more} open={STORAGE.some((key) => mistakes[key]) || undefined}>
        <summary>{t('clusters.storage')}</summary>
        <div className={layout.form}>
          {text('filesystem_class', 'clusters.filesystemClass', 'clusters.filesystemClassHint')}
          {text('block_class', 'clusters.blockClass', 'clusters.blockClassHint')}
          {text('personal_claim', 'clusters.personalClaim', 'clusters.personalClaimHint')}
          {text('personal_size', 'clusters.personalSize', 'clusters.personalSizeHint')}
        </div>
      </details>
      <details className={style.more} open={FOLDED.some((key) => mistakes[key]) || undefined}>
        <summary>{t('clusters.more')}</summary>
        <div className={layout.form}>
          {text('description', 'clusters.description')}
          <NativeSelect
            label={t('clusters.pullPolicy')}
            data={[...PULL_POLICIES]}
            value={draft.pull_policy}
            onChange={(event) => onChange({ pull_policy: event.currentTarget.value as Draft['pull_policy'] })}
          />
          {text('pull_secrets', 'clusters.pullSecrets', 'clusters.wordsHint')}
          {text('tolerations', 'clusters.tolerations', 'clusters.wordsHint')}
          {text('rdma_resource', 'clusters.rdma')}
          {text('admission_time', 'clusters.admission', 'clusters.admissionHint')}
          {text('lost_time', 'clusters.lost', 'clusters.lostHint')}
        </div>
      </details>
    </>
  );
}
