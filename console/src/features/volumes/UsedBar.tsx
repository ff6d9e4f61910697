/** How much of a volume is used, as a bar with numbers; when it was counted stands below or on hover. */
import type { VolumeRow } from '@/api/volumes';
import { useT } from '@/app/i18n';
import { formatBytes } from '@/ui/words/format';
import { Ago } from '@/ui/words/Time';
import ink from '@/ui/theme/ink.module.css';
import style from './Volumes.module.css';

const NEARLY = 0.9;

type Sized = Pick<VolumeRow, 'capacity' | 'used' | 'used_at' | 'complete' | 'claim' | 'source'>;

export function UsedBar({ volume: { capacity, used, used_at: at, complete, claim, source }, aged }: { volume: Sized; aged?: boolean }) {
  const t = useT();
  if (source) return <span className={ink.quiet}>{source.address}</span>;
  const unknown = claim ? 'volumes.notMeasured' : 'volumes.notCounted';
  if (used === null) return <span className={ink.quiet}>{t(unknown, { capacity: formatBytes(capacity) })}</span>;
  const share = capacity > 0 ? used / capacity : 1;
  const percent = Math.min(100, Math.round(share * 100));
  const text = t(complete ? 'volumes.usedOf' : 'volumes.usedAtLeast', { used: formatBytes(used), capacity: formatBytes(capacity) });
  return (
    <span className={style.used}>
      <span
        className={style.bar}
        role="meter"
        aria-label={t('volumes.used')}
        aria-valuenow={percent}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuetext={text}
        data-nearly={share >= NEARLY || undefined}
        data-full={share >= 1 || undefined}
      >
        <i style={{ width: `${percent}%` }} />
      </span>
      <span className={ink.cut}>
        {text}
        {share >= 1 && <b className={ink.danger}> {t('volumes.full')}</b>}
        {aged && at && (
          <span className={style.age}>
            {' · '}
            <Ago at={at} said="volumes.counted" />
          </span>
        )}
      </span>
    </span>
  );
}
