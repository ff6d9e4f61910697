/** How far a transfer is, as a bar with numbers. */
import type { Transfer } from '@/api/transfers';
import { useT } from '@/app/i18n';
import { formatBytes } from '@/ui/words/format';
import ink from '@/ui/theme/ink.module.css';
import style from './Transfers.module.css';

export function TransferBar({ transfer: { progress, state } }: { transfer: Transfer }) {
  const t = useT();
  const { bytes, bytes_total: total } = progress;
  if (total === null) return <span className={ink.quiet}>{formatBytes(bytes)}</span>;
  const percent = state === 'completed' || total === 0 ? 100 : Math.min(99, Math.floor((bytes * 100) / total));
  const text = t('transfers.farOf', { percent, total: formatBytes(total) });
  return (
    <span className={style.far}>
      <span
        className={style.bar}
        role="progressbar"
        aria-label={t('transfers.far')}
        aria-valuenow={percent}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuetext={text}
        data-bad={state === 'failed' || undefined}
      >
        <i style={{ width: `${percent}%` }} />
      </span>
      <span>{text}</span>
    </span>
  );
}
