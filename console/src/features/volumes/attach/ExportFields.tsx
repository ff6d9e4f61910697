/** Where an NFS export is, and as whom it is read: of a new volume of this kind. */
import { Checkbox, TextInput } from '@mantine/core';
import type { VolumeCreate } from '@/api/volumes';
import { useT } from '@/app/i18n';
import { useMayEverywhere } from '@/app/session';
import layout from '@/ui/page/layout.module.css';

export const NO_EXPORT = { address: '', uid: '', gid: '', shareable: false };
export type ExportText = typeof NO_EXPORT;

interface Props {
  fields: ExportText;
  error: string | undefined;
  onChange: (part: Partial<ExportText>) => void;
}

export function ExportFields({ fields, error, onChange }: Props) {
  const t = useT();
  const attaches = useMayEverywhere('volume:attach');
  return (
    <>
      <TextInput
        label={t('volumes.address')}
        description={t(attaches ? 'volumes.exportText' : 'volumes.exportNobody')}
        placeholder="nfs://nas.example.org/export"
        required
        withAsterisk={false}
        spellCheck={false}
        error={error}
        value={fields.address}
        onChange={(event) => onChange({ address: event.currentTarget.value })}
      />
      {attaches && (
        <>
          <div className={layout.row}>
            <TextInput
              label={t('volumes.uid')}
              placeholder="65534"
              inputMode="numeric"
              value={fields.uid}
              onChange={(event) => onChange({ uid: event.currentTarget.value })}
            />
            <TextInput
              label={t('volumes.gid')}
              placeholder="65534"
              inputMode="numeric"
              value={fields.gid}
              onChange={(event) => onChange({ gid: event.currentTarget.value })}
            />
          </div>
          <Checkbox
            label={t('volumes.shareable')}
            description={t('volumes.shareableText')}
            checked={fields.shareable}
            onChange={(event) => onChange({ shareable: event.currentTarget.checked })}
          />
        </>
      )}
    </>
  );
}

/** As it is sent: whom it is read as is part of the address. */
export function exportSource({ address, uid, gid, shareable }: ExportText): Pick<VolumeCreate, 'source'> {
  const asked = [uid.trim() && `uid=${uid.trim()}`, gid.trim() && `gid=${gid.trim()}`].filter(Boolean).join('&');
  const whole = address.trim();
  const joined = asked ? `${whole}${whole.includes('?') ? '&' : '?'}${asked}` : whole;
  return { source: { address: joined, endpoint: '', region: '', writable: false, private: !shareable } };
}
