/** Where a bucket is, and how Danlu gets in: of a new volume of this kind. */
import { Checkbox, TextInput } from '@mantine/core';
import type { VolumeCreate } from '@/api/volumes';
import { useT } from '@/app/i18n';
import { useMayEverywhere } from '@/app/session';
import { LoginFields } from './LoginFields';

export const NO_BUCKET = { address: '', endpoint: '', region: '', key: '', secret: '', writable: false, shareable: false };
export type BucketText = typeof NO_BUCKET;

interface Props {
  fields: BucketText;
  mistakes: Record<string, string | undefined>;
  onChange: (part: Partial<BucketText>) => void;
}

export function BucketFields({ fields, mistakes, onChange }: Props) {
  const t = useT();
  const attaches = useMayEverywhere('volume:attach');
  return (
    <>
      <TextInput
        label={t('volumes.address')}
        description={t('volumes.addressText')}
        placeholder="s3://bucket/prefix"
        required
        withAsterisk={false}
        spellCheck={false}
        error={mistakes.source}
        value={fields.address}
        onChange={(event) => onChange({ address: event.currentTarget.value })}
      />
      <TextInput
        label={t('volumes.endpoint')}
        description={t('volumes.endpointText')}
        placeholder="https://s3.example.org"
        spellCheck={false}
        value={fields.endpoint}
        onChange={(event) => onChange({ endpoint: event.currentTarget.value })}
      />
      <TextInput
        label={t('volumes.region')}
        placeholder="us-east-1"
        spellCheck={false}
        value={fields.region}
        onChange={(event) => onChange({ region: event.currentTarget.value })}
      />
      <LoginFields login={fields} error={mistakes.login} onChange={onChange} />
      <Checkbox
        label={t('volumes.writable')}
        description={t('volumes.writableText')}
        checked={fields.writable}
        onChange={(event) => onChange({ writable: event.currentTarget.checked })}
      />
      {attaches && (
        <Checkbox
          label={t('volumes.shareable')}
          description={t('volumes.shareableText')}
          checked={fields.shareable}
          onChange={(event) => onChange({ shareable: event.currentTarget.checked })}
        />
      )}
    </>
  );
}

/** As it is sent; without a key nothing is signed. */
export function attachment(fields: BucketText): Pick<VolumeCreate, 'source' | 'login'> {
  const { address, endpoint, region, key, secret, writable, shareable } = fields;
  return {
    source: { address: address.trim(), endpoint: endpoint.trim(), region: region.trim(), writable, private: !shareable },
    ...(key.trim() && { login: { key: key.trim(), secret } }),
  };
}
