/** How much a volume may hold, with what is left of the person's quota beside it. */
import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getUserQuota, quotaKeys } from '@/api/rules/quotas';
import type { VolumeKind } from '@/api/volumes';
import { useT } from '@/app/i18n';
import { useMe } from '@/app/session';
import { parseSize } from '@/parts/quantities';
import { formatBytes } from '@/ui/words/format';

interface Props {
  kind: VolumeKind;
  value: string;
  error: string | undefined;
  /** What it has now, where it grows: of the quota only the rest is needed. */
  has?: number;
  onChange: (text: string) => void;
}

export function CapacityField({ kind, value, error, has = 0, onChange }: Props) {
  const t = useT();
  const { name } = useMe();
  const quota = useQuery({
    queryKey: quotaKeys.use('user', name),
    queryFn: ({ signal }) => getUserQuota(name, signal),
    retry: false,
  });
  const line = quota.data?.storage.find(({ type }) => type === kind);
  const left = line && line.limit !== null ? Math.max(0, line.limit - line.used) : undefined;
  const wanted = parseSize(value);
  const over = wanted !== null && left !== undefined && wanted - has > left;
  const about = [
    t('volumes.capacityText'),
    left !== undefined && t('volumes.quotaLeft', { left: formatBytes(left), limit: formatBytes(line?.limit ?? 0) }),
  ];
  return (
    <TextInput
      label={t('volumes.capacity')}
      description={about.filter(Boolean).join(' · ')}
      required
      withAsterisk={false}
      autoComplete="off"
      spellCheck={false}
      error={
        error ??
        (value !== '' && wanted === null
          ? t('volumes.noSize')
          : over
            ? t('volumes.overQuota', { left: formatBytes(left) })
            : wanted !== null && wanted < has
              ? t('volumes.onlyGrows', { has: formatBytes(has) })
              : undefined)
      }
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
