/** How metrics are drawn, wherever they are: by powers of ten, and how smooth. */
import { useEffect, useEffectEvent } from 'react';
import { useT } from '@/app/i18n';
import { useHeld } from './useHeld';
import style from './Smoothing.module.css';

/** In hundredths: a smoother line would never move. */
export const MOST_SMOOTH = 99;
const REST_MS = 150;

export function LogScale({ on, onChange }: { on: boolean; onChange: (on: boolean) => void }) {
  const t = useT();
  return (
    <button type="button" className={style.toggle} title={t('metrics.logarithmic')} aria-pressed={on} onClick={() => onChange(!on)}>
      {t('metrics.log')}
    </button>
  );
}

/** The charts and the address follow when the hand rests. */
export function Smoothing({ value, onChange }: { value: number; onChange: (value: number) => void }) {
  const t = useT();
  const [held, setHeld] = useHeld(value);
  const tell = useEffectEvent(() => held !== value && onChange(held));
  useEffect(() => {
    const timer = setTimeout(tell, REST_MS);
    return () => clearTimeout(timer);
  }, [held]);
  return (
    <label className={style.smoothing}>
      {t('metrics.smoothing')}
      <input type="range" min={0} max={MOST_SMOOTH} value={held} onChange={(event) => setHeld(Number(event.currentTarget.value))} />
      <output>{(held / 100).toFixed(2)}</output>
    </label>
  );
}
